"""The comparison with PyTorch (tests.operators.worker), with every call of ctorch made through words.

python -m tests.languages.word.worker PLAN RESULTS     (also CTORCH_WORD_LIBRARY in the environment)
"""

import os

from tests.languages.word.calls import WordLibrary
from tests.operators import worker


class WordWorker(worker.Worker):
    def __init__(self, plan, results_path):
        super().__init__(plan, results_path)
        libraries = os.environ["CTORCH_LIBRARY"], os.environ["CTORCH_WORD_LIBRARY"], os.environ["CTORCH_API"]
        # A few plain integers of the cases need all of their 64 bits.
        self.library = WordLibrary(*libraries, bits=64)
        self.sides = (worker.PyTorch(), worker.Ctorch(self.library))

    def run_operator(self, operator):
        report = super().run_operator(operator)
        report["word handles"] = self.library.words("live_handles")
        return report


if __name__ == "__main__":
    worker.main(WordWorker)
