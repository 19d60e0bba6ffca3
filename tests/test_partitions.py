"""The tables of partitions: that their numbers agree with each other and with what cards can hold."""

import pytest

from dralign.drivers.amd import DRIVER as AMD
from dralign.drivers.nvidia import DRIVER as NVIDIA

CARDS = [pytest.param(card, id=card.name) for profile in (NVIDIA, AMD) for card in profile.partitions()]


def most(profile):
    """Return how many partitions of a profile fit side by side, by their places alone."""
    size = profile.memory_slices[0]
    return sum(start % size == 0 for start in profile.starts)


@pytest.mark.parametrize("card", CARDS)
class TestEveryCard:
    def test_profiles_are_told_apart(self, card):
        names = [profile.profile for profile in card.profiles]
        assert len(set(names)) == len(names)
        assert {profile.card for profile in card.profiles} == {card.name}
        numbers = [profile.number for profile in card.profiles if profile.number is not None]
        assert len(set(numbers)) == len(numbers)
        assert all(card.profile(name).profile == name for name in names)
        assert card.profile("9g.99gb") is None

    def test_all_that_fit_are_no_more_than_the_card(self, card):
        for profile in card.profiles:
            for part, whole in (profile.compute, profile.memory_slices):
                assert 0 < part * profile.fits <= whole, profile

    def test_more_slices_are_more_memory_and_units(self, card):
        for field in ("memory", "units"):
            known = sorted(
                (profile.memory_slices[0], profile.compute[0], getattr(profile, field))
                for profile in card.profiles
                if getattr(profile, field) is not None
            )
            values = [value for _, _, value in known]
            assert values == sorted(values), field

    def test_memory_is_less_than_the_name_says(self, card):
        for profile in card.profiles:
            label = profile.profile.partition(".")[2].partition("gb")[0]
            if label.isdecimal() and profile.memory is not None:
                assert int(label) * 800 < profile.memory < int(label) * 1024

    def test_places_lie_on_the_card(self, card):
        for profile in card.profiles:
            size, whole = profile.memory_slices
            assert all(start + size <= whole for start in profile.starts)
            if profile.starts and "me" not in profile.profile:
                # where editions of the guide differ, media engines are what limits
                assert profile.fits == most(profile) or (not card.complete and profile.fits < most(profile))

    def test_legacy_names_lead_to_profiles(self, card):
        for profile in card.profiles:
            dotted = profile.profile.replace("+", ".")
            if card in NVIDIA.partitions():
                found = NVIDIA.legacy(f"nvidia.com/mig-{dotted}")
            else:
                found = AMD.legacy(f"amd.com/{profile.profile}")
            assert profile.profile in found.selector or "spx" in profile.profile


def test_cards_are_known_by_all_their_products():
    products = [product for card in NVIDIA.partitions() for product in card.products]
    assert len(set(products)) == len(products)
    assert NVIDIA.card("NVIDIA A800 80GB PCIe").name == "A100-80"
    assert NVIDIA.card("NVIDIA L40S") is None
    assert AMD.card("AMD_Instinct_MI300X_OAM").profile("cpx_nps4").memory == 24574


def test_one_name_means_different_parts_of_different_cards():
    same = {item.card: item.memory_slices for item in NVIDIA.profiles if item.profile == "1g.10gb"}
    assert same == {"A100-40": (2, 8), "A100-80": (1, 8), "H100-80": (1, 8)}


@pytest.mark.parametrize(
    ("card", "profile", "memory", "units", "fits"),
    [
        ("A100-40", "1g.5gb", 4864, 14, 7),
        ("A100-40", "7g.40gb", 40192, 98, 1),
        ("H100-80", "1g.10gb+me", 9984, 16, 1),
        ("H100-80", "1g.20gb", 20096, 26, 4),
        ("H200-141", "3g.71gb", 71168, 60, 2),
        ("B200-180", "2g.45gb", 45312, 36, 3),
        ("A30-24", "2g.12gb", 11672, 28, 2),
    ],
)
def test_numbers_of_well_known_partitions(card, profile, memory, units, fits):
    found = next(item for item in NVIDIA.profiles if (item.card, item.profile) == (card, profile))
    assert (found.memory, found.units, found.fits) == (memory, units, fits)
