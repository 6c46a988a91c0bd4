"""Compiles written patterns into one tree per rule, so that shared beginnings are tried once.

A pattern is a line of elements: `word` stands for itself, `<set>` for any word of a set, `CLASS`
for a class of words or another rule, whose value is captured. `*` is any one word, `x?` may be left
out, `a|b` is a choice, and `_` joins the words of one choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from scrubjay.language.dates.syntax.tokens import fold, pieces


@dataclass(slots=True)
class Node:
    """A place inside one or more patterns; `actions` end here, in the order they were written."""

    words: dict[str, Node] = field(default_factory=dict)
    wildcard: Node | None = None
    sets: dict[str, Node] = field(default_factory=dict)  # matched, not captured
    classes: dict[str, Node] = field(default_factory=dict)  # captured from the token
    rules: dict[str, Node] = field(default_factory=dict)  # captured from another rule
    actions: list[tuple[int, str]] = field(default_factory=list)
    # The names of all branches but the wildcard: a token that fits none of them ends the way.
    branches: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Opening:
    """Which words and classes can open a rule; a token with neither cannot start it."""

    words: frozenset[str]
    classes: frozenset[str]


def compile_rules(
    grammar: Mapping[str, Mapping[str, Sequence[str]]], builtin: frozenset[str]
) -> dict[str, Node]:
    """One tree per rule name; `builtin` are rules that code, not patterns, recognises."""
    names = frozenset(grammar) | builtin
    trees: dict[str, Node] = {}
    for name, actions in grammar.items():
        root = trees[name] = Node()
        for order, (action, patterns) in enumerate(actions.items()):
            for pattern in patterns:
                for elements in _spell_out(pattern):
                    _insert(root, elements, names, (order, action))
        for node in _nodes(root):
            node.branches = frozenset((*node.words, *node.sets, *node.classes, *node.rules))
    return trees


def _spell_out(pattern: str) -> Iterator[tuple[str, ...]]:
    """Every concrete sequence a pattern stands for."""
    choices: list[list[tuple[str, ...]]] = []
    for element in pattern.split():
        optional = len(element) > 1 and element.endswith("?")
        words = element[:-1] if optional else element
        options = [_cut(word) for word in words.split("|")]
        choices.append([*options, ()] if optional else options)
    for chosen in product(*choices):
        elements = tuple(part for option in chosen for part in option)
        if elements:
            yield elements


def _cut(word: str) -> tuple[str, ...]:
    """A literal as the tokenizer will see it; `_` joins the words of one literal."""
    if word.startswith("<") or word.isupper() or not any(map(str.isalnum, word)):
        return (word,)
    folded = fold(word.replace("_", " "))
    return tuple(folded[start:end] for start, end in pieces(folded))


def _insert(
    root: Node, elements: Sequence[str], names: frozenset[str], action: tuple[int, str]
) -> None:
    node = root
    for element in elements:
        node = _branch(node, element, names)
    if action not in node.actions:
        node.actions.append(action)


def _branch(node: Node, element: str, names: frozenset[str]) -> Node:
    if element == "*":
        node.wildcard = node.wildcard or Node()
        return node.wildcard
    if element.startswith("<"):
        return node.sets.setdefault(element[1:-1], Node())
    if element in names:
        return node.rules.setdefault(element, Node())
    if element.isupper() and element.isascii():
        return node.classes.setdefault(element, Node())
    return node.words.setdefault(element, Node())


def fits(
    trees: Mapping[str, Node], builtin: Mapping[str, Opening]
) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """What each word of a pattern, and each class, may be taken for: itself, and rules it opens.

    Raises ValueError for a rule that can open with itself.
    """
    known = dict(builtin)
    for name in trees:
        _open(name, trees, known, ())
    words, classes = dict[str, set[str]](), dict[str, set[str]]()
    for node in (inner for root in trees.values() for inner in _nodes(root)):
        words |= {word: {word} for word in node.words}
        classes |= {name: {name} for name in (*node.sets, *node.classes)}
    for rule, opening in known.items():
        for word in opening.words:
            words.setdefault(word, {word}).add(rule)
        for name in opening.classes:
            classes.setdefault(name, {name}).add(rule)
    return _frozen(words), _frozen(classes)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    following = [*node.words.values(), *node.sets.values(), *node.classes.values()]
    following += [*node.rules.values(), *([node.wildcard] if node.wildcard else ())]
    for child in following:
        yield from _nodes(child)


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(members) for name, members in found.items()}


def _open(
    name: str, trees: Mapping[str, Node], known: dict[str, Opening], path: tuple[str, ...]
) -> Opening:
    if name in known:
        return known[name]
    if name in path:
        raise ValueError(f"rule {name} can open with itself: {' > '.join((*path, name))}")
    root = trees[name]
    words, classes = set(root.words), set(root.sets) | set(root.classes)
    for inner in root.rules:
        opening = _open(inner, trees, known, (*path, name))
        words |= opening.words
        classes |= opening.classes
    opening = Opening(frozenset(words), frozenset(classes))
    if not path:
        known[name] = opening
    return opening
