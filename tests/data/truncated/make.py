"""Writes values.txt: laws on a segment, with log mass, mean and variance by mpmath.

Run by hand with mpmath 1.4.1:  python make.py > values.txt
Each line: law, its parameters, the segment, log mass, mean, variance; for the normal law then Cov(x, x^2)
and Var(x^2). Densities by closed forms at 400 digits, which outweigh all cancellation; counts term by term
in whole numbers of 2^-240 of the largest term.
"""

import math
from collections.abc import Callable

import mpmath as mp

Ratio = Callable[[int], tuple[int, int]]
mp.mp.dps = 400
BITS = 240
INF = math.inf


def show(law: str, inputs: list[float], outputs: list[mp.mpf]) -> None:
    digits = [mp.nstr(x, 20, min_fixed=0, max_fixed=0) for x in outputs]
    print(law, *(repr(float(x)) for x in inputs), *digits)


def normal(mean: float, deviation: float, v: float, w: float) -> None:
    mu, sigma = mp.mpf(mean), mp.mpf(deviation)
    ends = [(mp.mpf(x) - mu) / sigma for x in (v, w)]

    def boundary(k: int) -> mp.mpf:
        terms = [0 if mp.isinf(z) else z**k * mp.npdf(z) for z in ends]
        return terms[0] - terms[1]

    tails = [mp.erfc(abs(z) / mp.sqrt(2)) / 2 for z in ends]
    below, above = ends[0] < 0, ends[1] > 0
    mass = 1 - tails[0] - tails[1] if below and above else abs(tails[0] - tails[1])
    about = [mp.mpf(1), boundary(0) / mass]
    for k in (2, 3, 4):
        about.append((k - 1) * about[k - 2] + boundary(k - 1) / mass)
    m = [
        mp.fsum(mp.binomial(k, j) * mu ** (k - j) * sigma**j * about[j] for j in range(k + 1))
        for k in range(5)
    ]
    moments = [m[1], m[2] - m[1] ** 2, m[3] - m[1] * m[2], m[4] - m[2] ** 2]
    show("normal", [mean, deviation, v, w], [mp.log(mass), *moments])


def lower_gamma(a: mp.mpf, x: mp.mpf) -> mp.mpf:
    """The integral of t^(a-1) e^-t from 0 to x, by its series of positive terms."""
    if mp.isinf(x):
        return mp.gamma(a)
    term = 1 / a
    total = mp.mpf(0)
    n = 0
    while n == 0 or term > total * mp.mpf(10) ** -mp.mp.dps:
        total += term
        n += 1
        term *= x / (a + n)
    return x**a * mp.exp(-x) * total


def exponential(rate: float, v: float, w: float) -> None:
    theta, start, width = mp.mpf(rate), mp.mpf(v), mp.mpf(w) - mp.mpf(v)
    rest = mp.exp(-theta * width)
    cut = mp.mpf(0) if rest == 0 else width * rest / (1 - rest)
    variance = 1 / theta**2 - (0 if rest == 0 else width * cut / (1 - rest))
    show("exponential", [rate, v, w], [mp.log1p(-rest) - theta * start, start + 1 / theta - cut, variance])


def gamma(shape: float, rate: float, v: float, w: float) -> None:
    k, theta = mp.mpf(shape), mp.mpf(rate)
    raw = [(lower_gamma(k + j, theta * w) - lower_gamma(k + j, theta * v)) / theta**j for j in range(3)]
    mean = raw[1] / raw[0]
    show("gamma", [shape, rate, v, w], [mp.log(raw[0] / mp.gamma(k)), mean, raw[2] / raw[0] - mean**2])


def count(peak: int, v: float, w: float, log_peak: mp.mpf, ratio: Ratio) -> list[mp.mpf]:
    """Sums both ways from `peak`; `ratio` gives P(x + 1)/P(x) as numerator and denominator."""
    sums = [0, 0, 0]

    def add(d: int, weight: int) -> None:
        sums[0] += weight
        sums[1] += weight * d
        sums[2] += weight * d * d

    weight, x = 1 << BITS, peak
    while x <= w and weight > 1 << (BITS // 2):
        add(x - peak, weight)
        top, bottom = ratio(x)
        weight = weight * top // bottom
        x += 1
    weight, x = 1 << BITS, peak - 1
    while x >= v and weight > 1 << (BITS // 2):
        top, bottom = ratio(x)
        weight = weight * bottom // top
        add(x - peak, weight)
        x -= 1
    mean = mp.mpf(sums[1]) / sums[0]
    log_mass = log_peak + mp.log(mp.mpf(sums[0]) / (1 << BITS))
    return [log_mass, peak + mean, mp.mpf(sums[2]) / sums[0] - mean**2]


def poisson(rate: float, v: float, w: float) -> None:
    top, bottom = rate.as_integer_ratio()
    peak = int(min(max(math.floor(rate), v), w))
    log_peak = peak * mp.log(mp.mpf(rate)) - rate - mp.loggamma(peak + 1)
    show("poisson", [rate, v, w], count(peak, v, w, log_peak, lambda x: (top, bottom * (x + 1))))


def negative_binomial(r: float, theta: float, v: float, w: float) -> None:
    r_top, r_bottom = r.as_integer_ratio()
    t_top, t_bottom = theta.as_integer_ratio()
    mode = math.floor((r - 1) * (1 - theta) / theta) if r > 1 else 0
    peak = int(min(max(mode, v), w))
    rising = mp.loggamma(r + mp.mpf(peak)) - mp.loggamma(r) - mp.loggamma(peak + 1)
    log_peak = rising + r * mp.log(theta) + peak * mp.log(1 - mp.mpf(theta))

    def ratio(x: int) -> tuple[int, int]:
        return (x * r_bottom + r_top) * (t_bottom - t_top), (x + 1) * r_bottom * t_bottom

    outputs = count(peak, v, w, log_peak, ratio)
    if r == 1:
        show("geometric", [theta, v, w], outputs)
    else:
        show("negative_binomial", [r, theta, v, w], outputs)


def main() -> None:
    for segment in [(-1.0, 2.0), (-INF, INF), (40.0, INF), (-INF, -40.0), (40.0, 40.5), (-41.0, -40.0)]:
        normal(0.0, 1.0, *segment)
    for segment in [(0.5, 0.5 + 1e-9), (8.0, 8.0 + 1e-9), (-1e-9, 2e-9), (0.0, 3.0), (-12.0, 6.0)]:
        normal(0.0, 1.0, *segment)
    normal(0.0, 1.0, -0.25, INF)
    normal(1e6, 1e-3, 1e6 - 1e-3, 1e6 + 0.5)
    normal(-3.0, 250.0, 0.0, 1.0)
    normal(5.0, 0.01, 0.0, 1.0)
    for rate, v, w in [(1.0, 0.0, 1e-9), (1.0, 0.5, 0.5 + 1e-9), (1e-6, 0.0, 1.0)]:
        exponential(rate, v, w)
    exponential(1.0, 0.0, 0.999)
    exponential(1.0, 0.0, 1.001)
    for rate, v, w in [(1e9, 0.0, 1.0), (3.0, 100.0, 101.0), (3.0, 200.0, INF), (0.25, 1.0, 30.0)]:
        exponential(rate, v, w)
    for k in [1e-3, 0.3, 0.999, 1.5, 12.0, 1000.5]:
        gamma(k, 2.0, 0.0, INF)
        gamma(k, 2.0, 0.0, k)
        gamma(k, 2.0, 0.5 * k, 0.5 * k + 1e-9)
        gamma(k, 2.0, 1e-12, 0.4 * k)
        gamma(k, 2.0, 0.5 * k + 20 * k**0.5, INF)
        gamma(k, 2.0, 0.5 * k + 20 * k**0.5, 0.5 * k + 21 * k**0.5 + 1)
        gamma(k, 2.0, 0.0, 1e-9)
    gamma(1e6, 1e3, 999.0, 1001.5)
    gamma(1e6, 1e3, 1010.0, INF)
    gamma(1e6, 1e3, 0.0, 990.0)
    gamma(1e6, 1e3, 1000.0, 1000.0 + 1e-9)
    poisson(3e5, 302300, INF)
    poisson(1e9, 1000031623, INF)
    poisson(1e9, 999950000, 1000020000)
    for rate in [1e-6, 0.7, 30.0, 1e4, 3e6]:
        spread = math.ceil(rate**0.5)
        middle = math.floor(rate)
        poisson(rate, 0, INF)
        poisson(rate, 0, middle + spread)
        poisson(rate, middle + 1, middle + 3)
        poisson(rate, middle + spread, INF)
        poisson(rate, middle + 40 * spread, INF)
        poisson(rate, middle + 40 * spread, middle + 41 * spread)
        poisson(rate, max(0, middle - 40 * spread), max(0, middle - 38 * spread))
    for theta in [0.3, 0.999, 1e-3]:
        for v, w in [(0, INF), (0, 1), (7, 9), (500, INF), (100, 9000)]:
            negative_binomial(1.0, theta, v, w)
    for theta, v, w in [(1e-12, 5, 104), (1e-7, 0, 10000), (1e-3, 0, 998), (1e-3, 0, 1001)]:
        negative_binomial(1.0, theta, v, w)
    for r, theta in [(1e-3, 0.2), (0.01, 3e-4), (2.5, 0.4), (20.0, 3e-4), (1e6, 0.5), (1e6, 0.9999)]:
        mean = math.floor(r * (1 - theta) / theta)
        spread = math.ceil((r * (1 - theta)) ** 0.5 / theta)
        negative_binomial(r, theta, 0, INF)
        negative_binomial(r, theta, 0, mean)
        negative_binomial(r, theta, mean + 1, mean + 2 * spread)
        negative_binomial(r, theta, mean + 30 * spread, INF)
        negative_binomial(r, theta, mean + 3, mean + 4)


if __name__ == "__main__":
    main()
