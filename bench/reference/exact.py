"""The exact noise-aware Dirichlet-multinomial posterior in numpy, for any number of cells and any prior.

A cell's share of the posterior is g_k(s) = Gamma(s + alpha_k) / s! * P(noise = y_k - s). A chain of
convolutions forwards, and one backwards, gives the posterior of every count, hence exact means and standard
deviations of theta; drawing the counts from the last cell to the first, then theta given the counts, gives
independent draws. The same work as the entries of bench/exact.cpp, on problems of the same law.
"""

import functools
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bench.peers.timing import cpu_seconds, report

N = 10_000
CELLS = 3
DRAWS = 4000
Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
DrawCounts = Callable[[list[Reals], list[Reals], np.random.Generator], Integers]


def simulate(alpha: Reals, rate: float, rng: np.random.Generator) -> Reals:
    """Released values: counts of one population plus discrete Laplace noise, P(k) ~ exp(-rate |k|)."""
    counts = rng.multinomial(N, rng.dirichlet(alpha))
    stop = 1 - math.exp(-rate)
    noise = rng.geometric(stop, len(alpha)) - rng.geometric(stop, len(alpha))
    return (counts + noise).astype(float)


def share(alpha: float, value: float, rate: float) -> Reals:
    """g_k(0 .. n), scaled to a largest value of 1."""
    counts = np.arange(N + 1.0)
    rising = np.concatenate(([0.0], np.cumsum(np.log((counts[:-1] + alpha) / counts[1:]))))
    logs = rising - rate * np.abs(value - counts)
    scaled: Reals = np.exp(logs - logs.max())
    return scaled


def convolve(a: Reals, b: Reals) -> Reals:
    """a * b on 0 .. n, scaled to a largest value of 1."""
    size = 1 << (2 * N + 1).bit_length()
    product = np.fft.irfft(np.fft.rfft(a, size) * np.fft.rfft(b, size), size)[: N + 1]
    scaled: Reals = np.maximum(product / product.max(), 0.0)
    return scaled


def chain(shares: list[Reals]) -> list[Reals]:
    """The laws of the sums of the first 0, 1, ... cells."""
    nothing = np.zeros(N + 1)
    nothing[0] = 1.0
    sums = [nothing, shares[0]]
    for g in shares[1:-1]:
        sums.append(convolve(sums[-1], g))
    return sums


def moments(weights: Reals, alpha: float, total: float) -> tuple[float, float]:
    """Mean and standard deviation of the mixture of Beta(s + alpha, ...) with these weights of s."""
    mean = (np.arange(N + 1) + alpha) / (N + total)
    centre = float(weights @ mean)
    variance = float(weights @ (mean * (1 - mean) / (N + total + 1) + (mean - centre) ** 2))
    return centre, math.sqrt(variance)


def draw_counts(shares: list[Reals], before: list[Reals], rng: np.random.Generator) -> Integers:
    """Counts from the last cell to the first, one draw after the other."""
    counts = np.zeros((DRAWS, len(shares)), dtype=np.int64)
    for draw in counts:
        left = N
        for k in range(len(shares) - 1, 0, -1):
            cumulative = np.cumsum(shares[k][: left + 1] * before[k][left::-1])
            draw[k] = np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right")
            left -= draw[k]
        draw[0] = left
    return counts


def draw_counts_together(shares: list[Reals], before: list[Reals], rng: np.random.Generator) -> Integers:
    """The same, where draws with the same sum left share one table: much faster if few sums are likely."""
    counts = np.zeros((DRAWS, len(shares)), dtype=np.int64)
    left = np.full(DRAWS, N)
    for k in range(len(shares) - 1, 0, -1):
        order = np.argsort(left, kind="stable")
        sums, begins = np.unique(left[order], return_index=True)
        for rest, places in zip(sums, np.split(order, begins[1:]), strict=True):
            cumulative = np.cumsum(shares[k][: rest + 1] * before[k][rest::-1])
            uniform = rng.random(len(places)) * cumulative[-1]
            counts[places, k] = np.searchsorted(cumulative, uniform, side="right")
        left = left - counts[:, k]
    counts[:, 0] = left
    return counts


def posterior(
    alpha: Reals, values: Reals, rate: float, draw: DrawCounts, rng: np.random.Generator
) -> tuple[Reals, Reals]:
    """Means and standard deviations, and draws of theta."""
    shares = [share(a, value, rate) for a, value in zip(alpha, values, strict=True)]
    before = chain(shares)
    after = chain(shares[::-1])[::-1]
    summary = []
    for k, g in enumerate(shares):
        others = convolve(before[k], after[k]) if 0 < k < len(shares) - 1 else (after[0], before[-1])[k > 0]
        weights = g * others[::-1]
        summary.append(moments(weights / weights.sum(), alpha[k], alpha.sum()))
    theta = rng.standard_gamma(draw(shares, before, rng) + alpha)
    return np.array(summary), theta / theta.sum(axis=1, keepdims=True)


def main() -> None:
    kinds: list[tuple[str, DrawCounts, str]] = [
        ("numpy", draw_counts, "ratio >= 20"),
        ("numpy, draws grouped", draw_counts_together, ""),
    ]
    for epsilon in ("1", "0.1", "0.01"):
        alpha = np.ones(CELLS)
        rate = float(epsilon) / 2
        rng = np.random.default_rng(2026)
        values = simulate(alpha, rate, rng)
        for peer, draw, bar in kinds:
            work = functools.partial(posterior, alpha, values, rate, draw, rng)
            report(f"exact/K=3,n=1e4,eps={epsilon}", peer, np.__version__, cpu_seconds(work), bar)


if __name__ == "__main__":
    main()
