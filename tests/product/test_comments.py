"""check_comments.py finds what a tool that fills paragraphs does to documentation, and nothing else."""

import textwrap

import pytest

from tests.product.check_comments import comments, problems


def found(text: str) -> list[str]:
    (_, lines), *_ = comments(textwrap.dedent(text))
    return [problem for _, problem in problems(lines)]


GOOD = """\
    /**
     * Something.
     *
     *     code(a,
     *          b);
     *
     * - an item that goes on
     *   over two lines
     * - another
     *
     * @param x  text that goes on
     *           over two lines.
     * @return NULL, or
     *         an error.
     */
    int f(int x);
    """


def test_the_usual_layout_is_fine():
    assert found(GOOD) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [("     *          b);", "     * b);"), ("     *   over", "     * over"), ("     *         an", "     * an")],
)
def test_text_pulled_to_the_margin_is_found(before, after):
    assert before in GOOD
    assert len(found(GOOD.replace(before, after))) == 1
