"""Whether a loss of one's own is proper, and says the same everywhere."""

from __future__ import annotations

import numpy as np

from klcal._checks import FloatArray
from klcal.losses.proper import LOSSES, ProperLoss

# Where a loss is looked at: even steps, and close to both ends.
_CLOSE = np.geomspace(1e-6, 1e-3, 7)
_POINTS = np.unique(np.concatenate([np.linspace(0.0, 1.0, 129), _CLOSE, 1.0 - _CLOSE]))
# Rounding errors may add up to this part of the numbers involved.
_TOLERANCE = 1e-9


def check(loss: ProperLoss) -> ProperLoss:
    r"""Return `loss` if it is proper and consistent at some hundred points, and else say where it is not.

    Parameters
    ----------
    loss : ProperLoss
        A loss of your own. Its parts must fit together: the univariate form f is finite and concave; g is a
        supergradient, :math:`f(\rho) \le f(p) + g(p)(\rho - p)`, infinite at most at 0 and 1;
        :math:`\ell(p, y) = f(p) + g(p)(y - p)`; `divergence` is the difference of the two sides; `curvature` is not
        negative; the losses lie between `lower` and `upper`; and no divergence exceeds its two constants.

    Returns
    -------
    ProperLoss
        The same object. A loss that passes can still be improper between the points.

    Examples
    --------
    >>> from klcal.losses import squared
    >>> check(squared) is squared
    True

    A convex form belongs to no proper loss:

    >>> from klcal.losses._forms import Squared
    >>> class Convex(Squared):
    ...     def entropy(self, p):
    ...         return -p * (1.0 - p)
    >>> check(ProperLoss("mine", Convex()))
    Traceback (most recent call last):
        ...
    ValueError: loss 'mine' must have a concave univariate form; f(1e-06) lies 2.16228e-12 below its chord
    """
    if not isinstance(loss, ProperLoss):
        raise ValueError(f"loss must be a ProperLoss; got {loss!r}")
    p, (rho, q) = _POINTS, np.meshgrid(_POINTS, _POINTS)
    f, g = np.asarray(loss.entropy(p)), np.asarray(loss.slope(p))
    for part, values in (("entropy", f), ("slope", g)):
        if values.shape != p.shape:
            raise ValueError(
                f"loss {loss.name!r} must have a form whose {part} gives one number per point; "
                f"{p.size} points from {p[0]:g} to {p[-1]:g} gave shape {values.shape}"
            )
    _refuse(loss, "have a finite univariate form", ~np.isfinite(f), "f({:.6g}) is {:.6g}", p, f)
    inside = (p > 0.0) & (p < 1.0)
    _refuse(loss, "have a finite slope inside (0, 1)", inside & ~np.isfinite(g), "g({:.6g}) is {:.6g}", p, g)
    _refuse(loss, "have a slope that is a number", np.isnan(g), "g({:.6g}) is {:.6g}", p, g)
    _concave(loss, f)
    above = _line(loss, q, rho) - loss.entropy(rho)
    size = (
        np.abs(loss.entropy(q)) + np.abs(loss.entropy(rho)) + np.abs(np.where(np.isfinite(above), above, 0.0))
    )
    rule = "have a supergradient of its univariate form as slope"
    _refuse(loss, rule, above < -_TOLERANCE * size, "the tangent at {:.6g} lies below f({:.6g})", q, rho)
    for y in (0, 1):
        _equal(
            loss,
            f"be f(p) + g(p)({y} - p) for the outcome {y}",
            np.asarray(loss(p, y)),
            _line(loss, p, y + 0 * p),
            p,
        )
    _equal(
        loss,
        "have the divergence f(p) + g(p)(rho - p) - f(rho)",
        np.asarray(loss.divergence(rho, q)),
        above,
        q,
        rho,
    )
    bend = loss.curvature(p)
    if bend is not None:
        _refuse(
            loss, "have a curvature |f''|, not below 0", ~(bend >= 0.0), "at {:.6g} it is {:.6g}", p, bend
        )
    for y in (0, 1):
        values = np.asarray(loss(p, y))
        outside = (values < loss.lower - _TOLERANCE) | (values > loss.upper + _TOLERANCE)
        _refuse(
            loss,
            f"lie in [{loss.lower:.6g}, {loss.upper:.6g}]",
            outside,
            f"loss({{:.6g}}, {y}) is {{:.6g}}",
            p,
            values,
        )
    _constants(loss, rho, q)
    return loss


def _line(loss: ProperLoss, p: FloatArray, rho: FloatArray) -> FloatArray:
    """Return the tangent at p, at rho: f(p) + g(p)(rho - p), with infinity times zero read as zero."""
    with np.errstate(invalid="ignore"):
        rise = np.where(rho == p, 0.0, np.asarray(loss.slope(p)) * (rho - p))
    return np.asarray(loss.entropy(p) + rise)


def _concave(loss: ProperLoss, f: FloatArray) -> None:
    p = _POINTS
    left, right = (p[1:-1] - p[:-2]), (p[2:] - p[1:-1])
    chord = (right * f[:-2] + left * f[2:]) / (left + right)
    missing = chord - f[1:-1]
    size = np.abs(f[:-2]) + np.abs(f[2:]) + np.abs(f[1:-1])
    text = "f({:.6g}) lies {:.6g} below its chord"
    _refuse(loss, "have a concave univariate form", missing > _TOLERANCE * size, text, p[1:-1], missing)


def _equal(loss: ProperLoss, rule: str, found: FloatArray, wanted: FloatArray, *places: FloatArray) -> None:
    with np.errstate(invalid="ignore"):
        apart = np.abs(found - wanted) > _TOLERANCE * (1.0 + np.abs(wanted))
    bad = np.where(np.isfinite(wanted), ~np.isfinite(found) | apart, found != wanted)
    at = ", ".join(["{:.6g}"] * len(places))
    _refuse(loss, rule, bad, f"at ({at}) it is {{:.9g}} and not {{:.9g}}", *places, found, wanted)


def _constants(loss: ProperLoss, rho: FloatArray, p: FloatArray) -> None:
    found = loss.divergence(rho, p)
    named = (
        ("kl_constant", loss.kl_constant, LOSSES["log"].divergence(rho, p)),
        ("quadratic_constant", loss.quadratic_constant, (rho - p) ** 2),
    )
    for name, constant, other in named:
        if not constant >= 0.0:
            raise ValueError(f"loss {loss.name!r} must have a {name} that is at least 0; got {constant!r}")
        if np.isfinite(constant):
            most = np.where(np.isfinite(other), constant * other, np.inf)
            bad = found > most + _TOLERANCE
            text = f"at ({{:.6g}}, {{:.6g}}) the divergence is {{:.6g}} and {constant:.6g} allows {{:.6g}}"
            _refuse(loss, f"keep within its {name}", bad, text, rho, p, found, most)


def _refuse(
    loss: ProperLoss, rule: str, bad: np.typing.NDArray[np.bool_], text: str, *values: FloatArray
) -> None:
    """Raise with the first place that is bad."""
    if bad.any():
        first = np.unravel_index(int(np.argmax(bad)), bad.shape)
        where = text.format(*(float(value[first]) for value in values))
        raise ValueError(f"loss {loss.name!r} must {rule}; {where}")
