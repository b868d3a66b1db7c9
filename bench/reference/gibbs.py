"""Single chains of the Gibbs engines in numpy: the same steps as bench/gibbs.cpp, microseconds a step.

Written as one would: Bernstein and Sheldon's Algorithm 1 with the variance of the noise augmented, for a coin
and for a table of three cells, and the corrected Algorithm 2 ("joint") for an exponential rate behind clamped
records.
"""

import functools
import math

import numpy as np
import numpy.typing as npt

from bench.peers.timing import cpu_seconds, report

STEPS = 2000
Reals = npt.NDArray[np.float64]


def noise_variance(residual: Reals, scale: float, rng: np.random.Generator) -> Reals:
    """Of the normal whose mixture is Laplace noise, given the noise."""
    rho = np.abs(residual) / scale
    nu = rng.standard_normal(rho.shape) ** 2
    large = rho + nu / 2 + np.sqrt(nu * (rho + nu / 4))
    small = rho * (rho / np.maximum(large, 1e-300))
    drawn = np.where(rng.random(rho.shape) * (large + rho) <= large, large, small)
    variance: Reals = scale * scale * np.maximum(drawn, 1e-30)
    return variance


def normal_product(
    mean: Reals, variance: Reals, value: Reals, noise: Reals, rng: np.random.Generator
) -> Reals:
    """The normal given a value seen through normal noise."""
    gain = variance / (variance + noise)
    drawn: Reals = mean + gain * (value - mean) + np.sqrt(gain * noise) * rng.standard_normal(mean.shape)
    return drawn


def coin(rng: np.random.Generator) -> float:
    n, value, scale = 1000.0, np.array([420.0]), 10.0
    s, noise = value.copy(), np.array([2 * scale * scale])
    total = 0.0
    for _ in range(STEPS):
        theta = rng.beta(10 + s, 10 + n - s)
        mean, variance = n * theta, n * theta * (1 - theta)
        for _ in range(100):
            s = normal_product(mean, variance, value, noise, rng)
            if np.all((s >= 0) & (s <= n)):
                break
        s = np.clip(s, 0.0, n)
        noise = noise_variance(value - s, scale, rng)
        total += float(theta[0])
    return total


def table(rng: np.random.Generator) -> float:
    n, values, scale, alpha = 1000.0, np.array([300.0, 250.0, 450.0]), 20.0, np.full(3, 5.0)
    s, noise = values.copy(), np.full(3, 2 * scale * scale)
    total = 0.0
    for _ in range(STEPS):
        p = rng.gamma(alpha + s)
        p /= p.sum()
        for _ in range(100):
            root = np.sqrt(p)
            z = rng.standard_normal(3)
            drawn = n * p + math.sqrt(n) * (root * z - p * (root @ z))
            residual = values - drawn - np.sqrt(noise) * rng.standard_normal(3)
            a = n * p + noise
            u = residual / a
            u += (p / a) * n * (p @ u) / np.sum(p * noise / a)
            s = drawn + n * (p * u - p * (p @ u))
            if np.all(s >= 0):
                break
        s = np.maximum(s, 0.0)
        noise = noise_variance(values - s, scale, rng)
        total += float(p[0])
    return total


def clamped_moments(rate: Reals, top: float) -> tuple[Reals, Reals, Reals]:
    """E c, Var c and Cov(c, x) for c = min(x, top), x exponential."""
    z = rate * top
    scale = 1 / rate
    above = np.exp(-z)
    inside = -np.expm1(-z)
    mean = inside * scale  # of c, whatever side it is on
    square = 2 * scale * (mean - above * top)
    cross = square + above * top * scale
    return mean, square - mean * mean, cross - mean * scale


def exponential(rng: np.random.Generator) -> float:
    n, value, scale, top = 1000.0, np.array([245.0]), 1.17, 1.17
    rate, noise = np.array([4.0]), np.array([2 * scale * scale])
    total = 0.0
    for _ in range(STEPS):
        mean, variance, cross = clamped_moments(rate, top)
        for _ in range(100):
            c = normal_product(n * mean, n * variance, value, noise, rng)
            if ((c >= 0) & (c <= n * top)).all():
                break
        slope = cross / variance
        left = np.sqrt(n * np.maximum(1 / rate**2 - slope * cross, 0.0))
        for _ in range(100):
            s = n / rate + slope * (c - n * mean) + left * rng.standard_normal(1)
            if (s > 0).all():
                break
        rate = rng.gamma(8 + n, 1 / (2 + s))
        noise = noise_variance(value - c, scale, rng)
        total += float(rate[0])
    return total


def main() -> None:
    for name, chain in (("bernoulli", coin), ("table,K=3", table), ("exponential", exponential)):
        work = functools.partial(chain, np.random.default_rng(2026))
        seconds = cpu_seconds(work) / STEPS
        report(f"gibbs/{name}", "numpy", np.__version__, 1e6 * seconds, "ratio >= 100")


if __name__ == "__main__":
    main()
