"""Writes chains.txt: fixed chains with ArviZ's rhat (rank), ess (bulk) and ess (tail) of each.

Run by hand with arviz 0.23.4:  python make.py > chains.txt
Each case: name, chains, draws, rhat, bulk ESS, tail ESS, then the draws chain by chain.
"""

import arviz
import numpy as np

rng = np.random.default_rng(20261115)


def autoregressive(chains: int, draws: int, rho: float) -> np.ndarray:
    noise = rng.normal(size=(chains, draws))
    out = np.empty((chains, draws))
    out[:, 0] = noise[:, 0]
    for t in range(1, draws):
        out[:, t] = rho * out[:, t - 1] + np.sqrt(1 - rho * rho) * noise[:, t]
    return out


shifted = rng.normal(size=(4, 60))
shifted[2] += 1.5
wide = rng.normal(size=(4, 60))
wide[1] *= 4
drifting = rng.normal(size=(3, 80)) + np.linspace(0, 3, 80)
cases = {
    "independent": rng.normal(size=(4, 100)),
    "slow": autoregressive(4, 200, 0.95),
    "antithetic": autoregressive(4, 100, -0.6),
    "one-chain-elsewhere": shifted,
    "one-chain-wider": wide,
    "drifting": drifting,
    "integers-with-ties": rng.poisson(2.0, size=(4, 90)).astype(float),
    "heavy-tails": rng.standard_cauchy(size=(3, 75)),
    "odd-length": autoregressive(2, 101, 0.5),
    "two-values": (autoregressive(4, 100, 0.8) > 1).astype(float),
    "few": rng.normal(size=(2, 5)),
    "constant-but-one": np.where(np.arange(120).reshape(3, 40) == 17, 1.0, 0.0),
}
for name, values in cases.items():
    values = np.round(values, 6)
    numbers = [
        float(arviz.rhat(values)),
        float(arviz.ess(values, method="bulk")),
        float(arviz.ess(values, method="tail")),
    ]
    print(name, *values.shape, *(repr(x) for x in numbers))
    for chain in values:
        print(*(f"{x:.6g}" if x == round(x) else f"{x:.6f}" for x in chain))
