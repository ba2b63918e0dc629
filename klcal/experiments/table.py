"""`Table`: tidy results, one row per game, small enough to need no library."""

from __future__ import annotations

import hashlib
import html
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from klcal import _checks
from klcal._text import aligned, cells, raised
from klcal.experiments import _csv
from klcal.experiments._csv import Column
from klcal.experiments._files import replace_files

_SHOWN = 12


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns of one length: whole numbers, floats, truth values or text.

    Parameters
    ----------
    data : mapping of str to array_like
        The columns; they are copied and read-only.
    provenance : mapping, optional
        Where the numbers come from: versions, seeds, a checksum. Equality does not look at it.

    Examples
    --------
    >>> table = Table(
    ...     {
    ...         "T": [10, 100, 10],
    ...         "pkl": [0.5, 2.25, 1.0],
    ...         "adversary": ["zeros", "zeros", "border"],
    ...     }
    ... )
    >>> table
    T    pkl   adversary
    10   0.50  zeros
    100  2.25  zeros
    10   1.00  border
    >>> table["pkl"], len(table)
    (array([0.5 , 2.25, 1.  ]), 3)
    """

    data: Mapping[str, Column]
    provenance: Mapping[str, Any]

    def __init__(
        self, data: Mapping[str, npt.ArrayLike], provenance: Mapping[str, Any] | None = None
    ) -> None:
        columns = {name: _csv.column(name, values) for name, values in data.items()}
        first = next(iter(columns), "")
        for name, array in columns.items():
            _checks.same_length(f"column {name!r}", array, f"column {first!r}", columns[first])
        object.__setattr__(self, "data", MappingProxyType(columns))
        object.__setattr__(self, "provenance", MappingProxyType(dict(provenance or {})))

    @classmethod
    def from_rows(
        cls, rows: Iterable[Mapping[str, Any]], provenance: Mapping[str, Any] | None = None
    ) -> Table:
        """Return the table whose rows are mappings with the same keys.

        Examples
        --------
        >>> Table.from_rows([{"T": 10, "kl": 0.5}, {"T": 20, "kl": 1.5}])["T"]
        array([10, 20])
        """
        records = [dict(row) for row in rows]
        names = list(records[0]) if records else []
        for index, record in enumerate(records):
            if list(record) != names:
                raise _checks._complain("rows", f"have the columns {names}", list(record), (index,))
        return cls({name: [record[name] for record in records] for name in names}, provenance)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.data)

    def __len__(self) -> int:
        return len(next(iter(self.data.values()), ()))

    def __getitem__(self, name: str) -> Column:
        return self.data[_checks.choice("column", name, self.columns)]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows())

    def __eq__(self, other: object) -> bool:
        """Whether names, types and all entries agree, floats bit for bit."""
        if not isinstance(other, Table):
            return NotImplemented
        return self.columns == other.columns and all(
            _csv.same(self.data[name], other.data[name]) for name in self.columns
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Table], tuple[dict[str, Column], dict[str, Any]]]:
        return Table, (dict(self.data), dict(self.provenance))

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of plain Python values.

        Examples
        --------
        >>> Table({"T": [10], "kl": [0.5]}).rows()
        [{'T': 10, 'kl': 0.5}]
        """
        lists = [array.tolist() for array in self.data.values()]
        return [dict(zip(self.columns, values, strict=True)) for values in zip(*lists, strict=True)]

    def take(self, indices: npt.ArrayLike) -> Table:
        """Return the rows with these numbers, in this order; a mask of truth values keeps where it is true.

        Examples
        --------
        >>> Table({"T": [10, 20, 30]}).take([2, 0])["T"]
        array([30, 10])
        """
        wanted = np.asarray(indices)
        if wanted.size == 0 and wanted.dtype.kind != "b":
            wanted = np.zeros(0, dtype=np.int64)
        return Table({name: array[wanted] for name, array in self.data.items()}, self.provenance)

    def where(self, **conditions: Any) -> Table:
        """Return the rows with the given values; a list or tuple stands for any of its values.

        A value that the column does not have anywhere is an error, so that a misspelt name cannot look like a result.

        Parameters
        ----------
        **conditions
            Column and value, as in ``adversary="zeros", T=[100, 1000]``.

        Returns
        -------
        Table
            Possibly without rows, if no row meets all conditions.

        Examples
        --------
        >>> table = Table(
        ...     {
        ...         "T": [10, 100, 10],
        ...         "adversary": ["zeros", "zeros", "border"],
        ...     }
        ... )
        >>> table.where(adversary="zeros", T=[10, 100])["T"]
        array([ 10, 100])
        >>> table.where(T=11)
        Traceback (most recent call last):
            ...
        ValueError: T must be a value of its column; got 11
        """
        kept = np.ones(len(self), dtype=bool)
        for name, wanted in conditions.items():
            array = self[name]
            some = np.zeros(len(self), dtype=bool)
            for value in wanted if isinstance(wanted, (list, tuple, np.ndarray)) else (wanted,):
                equal = array == value
                if not np.any(equal):
                    raise _checks._complain(name, "be a value of its column", value)
                some |= equal
            kept &= some
        return self.take(kept)

    def sorted_by(self, *names: str) -> Table:
        """Return the rows in increasing order of these columns, the first name first; ties keep their order.

        Examples
        --------
        >>> Table({"T": [20, 10], "kl": [1.0, 2.0]}).sorted_by("T")["kl"]
        array([2., 1.])
        """
        return self.take(np.lexsort([self[name] for name in reversed(names)]) if names else range(len(self)))

    def unique(self, name: str) -> list[Any]:
        """Return the different values of a column in the order of their first appearance.

        Examples
        --------
        >>> Table({"T": [20, 10, 20]}).unique("T")
        [20, 10]
        """
        return list(dict.fromkeys(self[name].tolist()))

    def select(self, *names: str) -> Table:
        """Return these columns only, in this order.

        Examples
        --------
        >>> Table({"T": [20], "kl": [1.0], "seed": ["0/1"]}).select("kl", "T").columns
        ('kl', 'T')
        """
        return Table({name: self[name] for name in names}, self.provenance)

    def with_column(self, name: str, values: npt.ArrayLike) -> Table:
        """Return the table with one more column, or with that column replaced.

        Examples
        --------
        >>> table = Table({"T": [20], "kl": [10.0]})
        >>> table.with_column("ratio", table["kl"] / table["T"])["ratio"]
        array([0.5])
        """
        return Table({**self.data, name: values}, self.provenance)

    def groups(self, *names: str) -> dict[Any, Table]:
        """Return the rows that agree on these columns, by their values, in order of first appearance.

        The keys are values for one name, and tuples for several.

        Examples
        --------
        >>> parts = Table({"T": [20, 10, 20], "kl": [1.0, 2.0, 3.0]}).groups("T")
        >>> list(parts), parts[20]["kl"]
        ([20, 10], array([1., 3.]))
        """
        keys = list(zip(*(self[name].tolist() for name in names), strict=True))
        places: dict[tuple[Any, ...], list[int]] = {}
        for index, key in enumerate(keys):
            places.setdefault(key, []).append(index)
        return {(key[0] if len(names) == 1 else key): self.take(rows) for key, rows in places.items()}

    def largest(self, name: str, *, by: str | Sequence[str]) -> Table:
        """Return the row with the largest `name` in each group; the first one if several are.

        Parameters
        ----------
        name : str
            Column to maximise; it must not hold NaN.
        by : str or sequence of str
            Columns that make the groups.

        Returns
        -------
        Table
            One row per group.

        Examples
        --------
        >>> table = Table(
        ...     {
        ...         "T": [10, 10, 20],
        ...         "kl": [1.0, 3.0, 2.0],
        ...         "adversary": ["a", "b", "a"],
        ...     }
        ... )
        >>> table.largest("kl", by="T")["adversary"]
        array(['b', 'a'], dtype='<U1')
        """
        _checks.real_array(f"column {name!r}", self[name])
        best = [
            rows.take([int(np.argmax(rows[name]))]).rows()[0] for rows in self.groups(*_names(by)).values()
        ]
        return Table({column: [row[column] for row in best] for column in self.columns}, self.provenance)

    def averaged(self, *names: str, by: str | Sequence[str]) -> Table:
        """Return the mean of columns over each group, and how many rows there were.

        Parameters
        ----------
        *names : str
            Columns of numbers to average.
        by : str or sequence of str
            Columns that make the groups.

        Returns
        -------
        Table
            The columns of `by`, ``count``, and the means under the old names.

        Examples
        --------
        >>> Table({"T": [10, 10, 20], "kl": [1.0, 3.0, 2.0]}).averaged("kl", by="T")
        T   count  kl
        10  2      2
        20  1      2
        """
        keys, parts = _names(by), list(self.groups(*_names(by)).values())
        data: dict[str, list[Any]] = {key: [part[key][0].item() for part in parts] for key in keys}
        data["count"] = [len(part) for part in parts]
        for name in names:
            data[name] = [float(np.mean(part[name])) for part in parts]
        return Table(data, self.provenance)

    def curves(self, x: str, y: str, *, by: str) -> dict[Any, tuple[Column, Column]]:
        """Return one curve per group, as figures take them: the values of `x`, and the mean of `y` at each.

        Parameters
        ----------
        x, y : str
            Columns for the two axes.
        by : str
            Column that makes the groups.

        Returns
        -------
        dict
            Both coordinates, by group.

        Examples
        --------
        >>> table = Table(
        ...     {
        ...         "adversary": ["a", "a", "b"],
        ...         "T": [10, 10, 10],
        ...         "kl": [1.0, 3.0, 4.0],
        ...     }
        ... )
        >>> table.curves("T", "kl", by="adversary")
        {'a': (array([10]), array([2.])), 'b': (array([10]), array([4.]))}
        """
        return {name: (part[x], part[y]) for name, part in self.averaged(y, by=(by, x)).groups(by).items()}

    def to_csv(self) -> str:
        r"""Return the table as CSV that `from_csv` turns back into the same bits.

        Examples
        --------
        >>> Table({"T": [10], "kl": [0.1]}).to_csv()
        'T,kl\n10,0.1\n'
        """
        return _csv.written(self.data)

    @classmethod
    def from_csv(cls, text: str, provenance: Mapping[str, Any] | None = None) -> Table:
        r"""Return the table that `text` holds; columns get the narrowest type that fits all their cells.

        Parameters
        ----------
        text : str
            CSV with a header and at least one row.
        provenance : mapping, optional
            Provenance of the table; a ``sha256`` in it must be that of `text`.

        Returns
        -------
        Table

        Examples
        --------
        >>> Table.from_csv("T,kl,adversary\n10,0.5,zeros\n").rows()
        [{'T': 10, 'kl': 0.5, 'adversary': 'zeros'}]
        >>> Table.from_csv("T\n10\n", {"sha256": "0123456789abcdef"})
        Traceback (most recent call last):
            ...
        ValueError: the sha256 of the CSV must be that of its provenance, 0123456789ab...; got 5de2be681b67...
        """
        wanted, found = (provenance or {}).get("sha256"), hashlib.sha256(text.encode()).hexdigest()
        if wanted is not None and found != wanted:
            raise ValueError(
                f"the sha256 of the CSV must be that of its provenance, {wanted[:12]}...; got {found[:12]}..."
            )
        return cls(_csv.read(text), provenance)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write ``path`` as CSV and its provenance beside it as JSON, each whole or not at all.

        Parameters
        ----------
        path : path
            Name of the CSV file; the other one ends with ``.json``.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Table({"T": [10]}, {"made by": "hand"}).write(f"{folder}/a.csv")
        ...     again = Table.read(f"{folder}/a.csv")
        >>> again["T"], again.provenance["rows"], again.provenance["made by"]
        (array([10]), 1, 'hand')
        """
        target = Path(path)
        text = self.to_csv()
        provenance = {
            **self.provenance,
            "rows": len(self),
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }
        replace_files({target: text, target.with_suffix(".json"): _as_json(provenance)})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Table:
        """Return the table of a CSV file; if its JSON is there, the checksum must fit.

        Parameters
        ----------
        path : path
            Name of the CSV file.

        Returns
        -------
        Table
            Raises ``ValueError`` if the file is not the one the checksum was made for.

        Examples
        --------
        See `write`.

        >>> Table.read("nothing.csv")
        Traceback (most recent call last):
            ...
        FileNotFoundError: [Errno 2] No such file or directory: 'nothing.csv'
        """
        source = Path(path)
        text = source.read_bytes().decode()
        beside = source.with_suffix(".json")
        return cls.from_csv(text, json.loads(beside.read_text()) if beside.exists() else None)

    def _texts(self) -> list[list[str]]:
        shown = self.take(range(min(len(self), _SHOWN)))
        columns = [cells(array.tolist()) for array in shown.data.values()]
        return [list(self.columns), *map(list, zip(*columns, strict=True))]

    def _rest(self) -> str:
        return f"{_SHOWN} of {len(self)} rows" if len(self) > _SHOWN else ""

    def __repr__(self) -> str:
        if not self.columns:
            return "(no columns)"
        return "\n".join(filter(None, [aligned(self._texts()), self._rest()]))

    def _repr_html_(self) -> str:
        kinds = ["number" if array.dtype.kind in "if" else "words" for array in self.data.values()]
        header, *body = (
            "".join(
                f'<{tag} class="klcal-{kind}">{raised(html.escape(text))}</{tag}>'
                for kind, text in zip(kinds, row, strict=True)
            )
            for tag, row in zip(["th"] + ["td"] * len(self), self._texts(), strict=False)
        )
        rows = "".join(f"<tr>{row}</tr>" for row in body)
        rest = f"<caption>{self._rest()}</caption>" if self._rest() else ""
        # The style of the ledger's tables fits every table of the book.
        return (
            f'<table class="klcal-claims">{rest}<thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>'
        )


def _as_json(provenance: Mapping[str, Any]) -> str:
    """Return the provenance as JSON, one entry a line."""
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in provenance.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _names(by: str | Sequence[str]) -> tuple[str, ...]:
    return (by,) if isinstance(by, str) else tuple(by)
