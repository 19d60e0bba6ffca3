"""Every example of every rule: findings, repaired text, and that a second repair changes nothing."""

import re
from importlib import import_module

import pytest

from dralign import engine, registry
from dralign.bundle import Bundle, read_source
from dralign.config import checked, settings_from
from dralign.yamlio import KUBECTL

RULES = registry.rules()
CATALOGUE = registry.catalogue()


def examples(kind):
    return [
        pytest.param(loaded.rule.id, example, id=f"{loaded.rule.id}: {example.title}")
        for loaded in RULES
        for example in getattr(import_module(loaded.module), kind)
    ]


def read(text):
    return Bundle([read_source(text.encode(), "example.yaml", KUBECTL, registry.words())])


def settings(example, **more):
    return settings_from(checked(dict(example.spec or {})) | more, registry.rule_ids())


def messages(outcome, rule):
    return tuple(report.message for report in outcome.findings if report.rule == rule)


def repaired(text, rule, example):
    asked = settings(example, mode="fix").replace(only=frozenset({rule}), unsafe=True)
    outcome, after = engine.run(read(text), asked, RULES, CATALOGUE)
    return outcome, after.sources[0].encode().decode()


def without_hashes(text):
    return re.sub(r"-[0-9a-f]{8}\b", "-HASH", text)


@pytest.mark.parametrize(("rule", "example"), examples("VALID"))
def test_right_manifests_give_no_finding(rule, example):
    outcome, _ = engine.run(read(example.text), settings(example, profile="strict"), RULES, CATALOGUE)
    assert messages(outcome, rule) == ()


@pytest.mark.parametrize(("rule", "example"), examples("INVALID"))
def test_wrong_manifests_give_exactly_these_findings(rule, example):
    outcome, _ = engine.run(read(example.text), settings(example), RULES, CATALOGUE)
    assert messages(outcome, rule) == example.messages


@pytest.mark.parametrize(("rule", "example"), examples("INVALID"))
def test_the_repair_gives_exactly_this_text_and_a_second_one_changes_nothing(rule, example):
    outcome, text = repaired(example.text, rule, example)
    assert without_hashes(text) == (example.fixed or example.text)
    if example.fixed:
        assert messages(outcome, rule) == ()
    assert repaired(text, rule, example)[1] == text


def test_every_rule_has_examples_of_both_kinds():
    for loaded in RULES:
        module = import_module(loaded.module)
        assert module.VALID, loaded.rule.id
        assert module.INVALID, loaded.rule.id
        assert all(example.messages for example in module.INVALID), loaded.rule.id


def test_every_rule_page_has_a_headline_and_says_what_and_why():
    for loaded in RULES:
        doc = import_module(loaded.module).__doc__
        headline, _, rest = doc.partition("\n\n")
        assert not headline.endswith("."), loaded.rule.id
        assert "What it does\n" in rest, loaded.rule.id
        assert "Why it matters\n" in rest, loaded.rule.id
