"""Makes the training corpus: pairs cut to memories, near misses, written memories and banks."""

from __future__ import annotations

import random
import re
from collections import Counter

from training.banks import BANKS, read_banks
from training.config import Config
from training.corpus import Corpus, Question
from training.memories import MemoryWriter, read_kinds
from training.near_misses import near_misses, without_shared_words
from training.pairs import PairCutter, read_pairs
from training.progress import say

_PROPER_NOUN = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")
PROPER_NOUNS_MAX = 4_000


def prepare(config: Config) -> Corpus:
    """The corpus of `config`, also written to its working directory."""
    wanted = config.corpus
    chance = random.Random(wanted.seed)
    cutter = PairCutter(chance)
    nouns: Counter[str] = Counter()
    for pair in read_pairs(config.paths.pairs, wanted.pairs_max):
        cutter.add(pair)
        nouns.update(_PROPER_NOUN.findall(pair.question))
    units = cutter.units
    questions = without_shared_words(cutter.questions(), units, wanted.wordless_share, chance)
    missed, questions = near_misses(units, questions, wanted.near_miss_share, chance)
    units += missed
    common = [noun for noun, _ in nouns.most_common(PROPER_NOUNS_MAX)]
    writer = MemoryWriter(read_kinds(), common, chance)
    told, asked = writer.write(wanted.memories, len(units))
    kept, remembered = read_banks(BANKS, len(units) + len(told))
    questions += [*asked, *remembered]
    chance.shuffle(questions)
    corpus = Corpus((*units, *told, *kept), tuple(questions))
    path = config.paths.corpus
    path.parent.mkdir(parents=True, exist_ok=True)
    corpus.save(path)
    say(f"prepare: {len(corpus.questions)} questions, {len(corpus.units)} units, "
        f"{len(missed)} near misses, {_languages(corpus.questions)}")  # fmt: skip
    return corpus


def _languages(questions: list[Question] | tuple[Question, ...]) -> dict[str, int]:
    return dict(Counter(question.language for question in questions))
