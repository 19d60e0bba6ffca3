"""Properties that are worked out once. ``functools`` has the same, and costs a third of a bare start to import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from functools import cached_property as lazy
else:

    class lazy:  # noqa: N801 -- a decorator, written as one
        """A method without arguments, called at its first use; its answer then takes its place in the object."""

        def __init__(self, method: object) -> None:
            self.method = method
            self.__doc__ = method.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: object, owner: type | None = None) -> object:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.method(instance)
            return value


__all__ = ["lazy"]
