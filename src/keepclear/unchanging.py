"""Objects that never change after they are made."""

from __future__ import annotations

from typing import ClassVar, NoReturn, Self


class Unchanging:
    """An object whose attributes cannot be set or deleted, and which is its own copy."""

    __slots__ = ()

    _instead: ClassVar[str] = "make a new one instead"
    """What to do in place of a change; `{kind}` stands for the name of the class."""

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse(name)

    def __delattr__(self, name: str) -> None:
        self._refuse(name)

    def _fill(self, **values: object) -> None:
        """Set slots, past the guard."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _refuse(self, name: str) -> NoReturn:
        kind = type(self).__name__
        instead = self._instead.format(kind=kind)
        raise AttributeError(f"a {kind} never changes, so its {name!r} cannot be set; {instead}.")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self
