"""Records of modules that are not converted yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from klcal.claims import _ledger
from klcal.claims._evidence import Evidence, cases

AnyCheck = Callable[[], Evidence]


@dataclass(frozen=True)
class Claim:
    """The old record."""

    label: str
    number: str
    title: str
    kind: str
    chapter: str
    statement: str
    uses: tuple[str, ...] = ()
    check: AnyCheck | None = None
    spoil: tuple[AnyCheck, ...] = ()
    refute: AnyCheck | None = None
    repair: str = ""
    severity: str = ""
    instead: str = ""
    reason: str = ""
    rows: tuple[int, ...] = ()

    def convert(self) -> _ledger.Claim:
        """Return the new record."""
        controls = {f"control {n}": spoil for n, spoil in enumerate(self.spoil)}
        scope = cases("not stated yet")
        checks = [_ledger.Check(self.check, self.kind, scope, controls)] if self.check else []
        refutations = [_ledger.Check(self.refute, self.kind, scope, controls)] if self.refute else []
        return _ledger.Claim(
            self.label,
            self.number,
            self.title,
            self.chapter,
            self.statement,
            uses=self.uses,
            rows=self.rows,
            repair=self.repair,
            severity=self.severity,
            instead=self.instead,
            reason=self.reason,
            checks=checks,
            refutations=refutations,
        )
