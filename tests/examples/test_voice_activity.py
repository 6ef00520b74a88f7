"""examples/voice_activity.c with a model as it is published on PyPI.

What it hears is what the package's own program hears, in TorchScript, with the same weights; the spans are those of
its get_speech_timestamps. The package has a newer training too, but in formats that are programs: it is read from a
file that the test writes.
"""

from __future__ import annotations

import functools
import importlib.metadata
import os
import re
import struct
import subprocess
import wave
from pathlib import Path

import pytest

from tests.examples.test_examples import BUILT, EXAMPLES, output, run, torch
from tests.examples.test_training_examples import one_thread

safetensors_torch = pytest.importorskip("safetensors.torch")
with one_thread():  # the package changes their number
    silero_vad = pytest.importorskip("silero_vad")

pytestmark = pytest.mark.skipif(
    not os.environ.get("CTORCH_BUILD") or not (BUILT / "voice_activity").exists(),
    reason="CTORCH_BUILD names no build of the examples with libsndfile",
)

DATA = Path(silero_vad.__file__).parent / "data"
MODEL = DATA / "silero_vad_16k.safetensors"
RATE, CHUNK = 16000, 512
CLOSE = 1e-5


def sample(ending: str) -> Path:
    """A file of pyannote.audio's: half a minute of a telephone call, and who spoke when in it."""
    try:
        package = importlib.metadata.distribution("pyannote.audio")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("pyannote.audio is not installed")
    return Path(package.locate_file(f"pyannote/audio/sample/sample.{ending}"))


def names() -> dict[str, str]:
    """The names in the published file, by those in the package's program."""
    of = {"stft.forward_basis_buffer": "stft_conv.weight"}
    for kind in ("weight", "bias"):
        of |= {f"encoder.{i}.reparam_conv.{kind}": f"conv{i + 1}.{kind}" for i in range(4)}
        of |= {f"decoder.rnn.{kind}_{of_what}": f"lstm_cell.{kind}_{of_what}" for of_what in ("ih", "hh")}
        of[f"decoder.decoder.2.{kind}"] = f"final_conv.{kind}"
    return of


@functools.cache
def program(weights: Path | None = None) -> torch.jit.ScriptModule:
    """The package's program, as it is or with the weights of a file."""
    with one_thread():
        loaded = silero_vad.load_silero_vad()
    if weights is not None:
        read = safetensors_torch.load_file(weights)
        inner = loaded._model  # noqa: SLF001 the one for 16 kHz
        inner.load_state_dict({theirs: read[published] for theirs, published in names().items()})
    return loaded


def as_heard(samples: torch.Tensor) -> torch.Tensor:
    """What 16 bits make of samples."""
    return (samples.clamp(-1, 32767 / 32768) * 32768).round() / 32768


def write_wav(path: Path, samples: torch.Tensor, rate: int = RATE) -> Path:
    """Samples of one channel, or (len, channels)."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1 if samples.dim() == 1 else samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((samples * 32768).to(torch.int16).numpy().tobytes())
    return path


def write_float_wav(path: Path, samples: list[float]) -> Path:
    data = struct.pack(f"<{len(samples)}f", *samples)
    form = struct.pack("<HHIIHH", 3, 1, RATE, 4 * RATE, 4, 32)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks)
    return path


def read_wav(path: Path) -> torch.Tensor:
    with wave.open(str(path), "rb") as file:
        data = bytearray(file.readframes(file.getnframes()))
    return torch.frombuffer(data, dtype=torch.int16).float() / 32768


# What is heard


def vowels(seconds: float, pitch: float, formants: list[tuple[float, float]], syllables: float = 4) -> torch.Tensor:
    """A voice that holds a vowel: harmonics of a wavering pitch, loud near the formants, in syllables."""
    at = torch.arange(int(RATE * seconds), dtype=torch.float64) / RATE
    phase = 2 * torch.pi * (pitch * at + 3 * (2 * torch.pi * 3 * at).sin())
    heard = torch.zeros_like(at)
    for harmonic in range(1, 30):
        frequency = pitch * harmonic
        strength = sum(1 / (1 + ((frequency - centre) / width) ** 2) for centre, width in formants)
        heard += strength * (harmonic * phase).sin()
    heard *= 0.5 + 0.5 * (2 * torch.pi * syllables * at).sin()
    return (0.3 * heard / heard.abs().max()).float()


def noise(seconds: float, loudness: float) -> torch.Tensor:
    return loudness * torch.randn(int(RATE * seconds), generator=torch.Generator().manual_seed(1))


def silence(seconds: float) -> torch.Tensor:
    return torch.zeros(int(RATE * seconds))


A = [(700.0, 90.0), (1200.0, 110.0), (2600.0, 160.0)]
I = [(300.0, 60.0), (2300.0, 120.0), (3000.0, 180.0)]  # noqa: E741


def talk() -> torch.Tensor:
    """Two voices with pauses of many lengths, some too short to count, over a quiet noise."""
    parts = [silence(0.7)]
    for i, pause in enumerate((0.05, 0.09, 0.2, 0.5, 0.12, 1.0, 0.3)):
        parts += [vowels(0.4 + 0.2 * i, (110, 210)[i % 2], (A, I)[i // 2 % 2]), silence(pause)]
    heard = torch.cat(parts)
    return heard + noise(len(heard) / RATE + 1, 0.001)[: len(heard)]


HEARD = {
    "silence": lambda: silence(1.5),
    "noise": lambda: noise(2, 0.1),
    "loud noise": lambda: noise(1, 1.0),
    "a tone": lambda: 0.5 * (2 * torch.pi * 440 * torch.arange(RATE) / RATE).sin(),
    "a low voice": lambda: vowels(2.5, 100, A),
    "a high voice in noise": lambda: vowels(2, 220, I) + noise(2, 0.02),
    "two voices with pauses": talk,
    "a click": lambda: torch.cat([silence(0.5), torch.ones(1), silence(0.5)]),
    "one chunk": lambda: vowels(2, 120, A)[RATE : RATE + CHUNK],
    "less than a chunk": lambda: vowels(2, 120, A)[RATE : RATE + 100],
    "one sample": lambda: torch.ones(1) / 2,
    "one sample more than ten chunks": lambda: vowels(2, 120, A)[: 10 * CHUNK + 1],
    "a telephone call": lambda: read_wav(sample("wav")),
}
SPANS = {"silence": 0, "noise": 0, "loud noise": 0, "a click": 0, "a telephone call": 3}
THRESHOLDS = {"two voices with pauses": (0.9, 0.3), "a telephone call": (0.8, 0.2)}


def heard_by(*arguments: str | Path) -> str:
    """What the program prints; its handles are counted only where a test is about that, for it takes long."""
    done = run("voice_activity", *map(str, arguments), CTORCH_DEBUG_HANDLES="0")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def probabilities(path: Path, model: Path = MODEL) -> torch.Tensor:
    return torch.tensor([float(line) for line in heard_by("--probabilities", model, path).splitlines()])


def spans(path: Path, *threshold: str, model: Path = MODEL) -> str:
    return heard_by(model, path, *threshold)


def as_printed(found: list[dict]) -> str:
    return "".join(f"{span['start'] / RATE:.3f} to {span['end'] / RATE:.3f} s\n" for span in found)


def check_against_the_package(
    path: Path, heard: torch.Tensor, theirs: torch.jit.ScriptModule, model: Path = MODEL, thresholds: tuple = ()
) -> str:
    """Probabilities and spans, which are the answer."""
    whole_chunks = torch.nn.functional.pad(heard, (0, -len(heard) % CHUNK))
    with one_thread(), torch.no_grad(), torch.jit.optimized_execution(False):
        expected = theirs.audio_forward(whole_chunks, RATE)[0]
        got = probabilities(path, model)
        assert got.shape == expected.shape == (-(-len(heard) // CHUNK),)
        difference = (got - expected).abs().max().item()
        print(f"{len(got)} chunks, at most {expected.amax():.3f}, the greatest difference {difference:.1e}")
        assert difference < CLOSE
        for threshold in (*thresholds, 0.5):
            for limit in (threshold, threshold - 0.15):
                assert (expected - limit).abs().amin() > CLOSE, "of these numbers either side may be right"
            found = as_printed(silero_vad.get_speech_timestamps(heard, theirs, threshold=threshold))
            assert spans(path, *([str(threshold)] if threshold in thresholds else []), model=model) == found
    return found


@pytest.mark.turns
@pytest.mark.parametrize("name", HEARD)
def test_what_is_heard_is_what_the_package_hears(tmp_path, name):
    heard = as_heard(HEARD[name]())
    path = write_wav(tmp_path / "heard.wav", heard)
    assert torch.equal(read_wav(path), heard)
    found = check_against_the_package(path, heard, program(MODEL), thresholds=THRESHOLDS.get(name, ()))
    if name in SPANS:
        assert len(found.splitlines()) == SPANS[name]


def test_no_handle_is_left_behind(tmp_path):
    path = write_wav(tmp_path / "heard.wav", as_heard(vowels(1, 120, A, syllables=7)))
    assert output("voice_activity", str(MODEL), str(path)) == spans(path) != ""


def test_the_spans_of_a_telephone_call_are_where_somebody_speaks():
    """People noted who spoke when: nearly everywhere they agree with the spans."""
    spoken = torch.zeros(30 * 100, dtype=torch.bool)  # hundredths of a second
    for line in sample("rttm").read_text().splitlines():
        begin, duration = (float(field) for field in line.split()[3:5])
        spoken[round(100 * begin) : round(100 * (begin + duration))] = True
    found = torch.zeros_like(spoken)
    for begin, end in re.findall(r"(\S+) to (\S+) s\n", spans(sample("wav"))):
        found[round(100 * float(begin)) : round(100 * float(end))] = True
    assert 0.7 < spoken.float().mean() < 0.8
    agreeing = (spoken == found).float().mean().item()
    print(f"they agree on {agreeing:.1%}")
    assert agreeing > 0.97


def test_the_newer_weights_give_what_the_package_gives(tmp_path, monkeypatch):
    """Nothing of the package is changed: load_silero_vad, get_speech_timestamps. The README says how they are read."""
    (code,) = re.findall(r"```python\n(.*?)```", (EXAMPLES / "README.md").read_text(), re.DOTALL)
    (tmp_path / "models").mkdir()
    (tmp_path / "models/silero_vad").symlink_to(DATA.parent)
    monkeypatch.chdir(tmp_path)
    exec(code, {})  # noqa: S102
    text = check_against_the_package(sample("wav"), read_wav(sample("wav")), program(), tmp_path / "newer.safetensors")
    assert text != spans(sample("wav"))


def test_weights_are_read_from_what_torch_saves(tmp_path):
    path = write_wav(tmp_path / "heard.wav", as_heard(vowels(1, 120, A)))
    torch.save(safetensors_torch.load_file(MODEL), tmp_path / "model.pt")
    assert torch.equal(probabilities(path, tmp_path / "model.pt"), probabilities(path))


def test_of_several_channels_the_mean_is_heard(tmp_path):
    channels = as_heard(torch.stack([vowels(2, 120, A), vowels(2, 200, I), noise(2, 0.05)], 1))
    path = write_wav(tmp_path / "three.wav", channels)
    check_against_the_package(path, channels.mean(1), program(MODEL))


def test_samples_may_be_floats(tmp_path):
    heard = vowels(2, 130, A)
    path = write_float_wav(tmp_path / "floats.wav", heard.tolist())
    check_against_the_package(path, heard, program(MODEL))


# The rules for spans


def write_loudness_meter(path: Path) -> Path:
    """A model without memory, whose probability is the greater the louder a chunk is."""
    state = {name: torch.zeros_like(tensor) for name, tensor in safetensors_torch.load_file(MODEL).items()}
    state["stft_conv.weight"][0, 0, :] = 1 / 256  # the mean of a piece
    for i in range(1, 5):
        state[f"conv{i}.weight"][0, 0, 1] = 1
    state["lstm_cell.weight_ih"][256, 0] = 1  # what is put in the first cell
    for gate, bias in ((0, 30), (1, -30), (3, 30)):  # all of it, nothing of before, and all is told
        state["lstm_cell.bias_ih"][128 * gate] = bias
    state["final_conv.weight"][0, 0, 0] = 20
    state["final_conv.bias"][0] = -6
    safetensors_torch.save_file(state, path)
    return path


@pytest.mark.parametrize("seed", [1, 2])
def test_spans_of_drawn_probabilities_are_those_of_the_package(tmp_path, seed):
    """Runs of chunks that are loud, quiet or between, for longer or shorter; the audio may end in any of them."""
    model = write_loudness_meter(tmp_path / "meter.safetensors")
    drawn = torch.Generator().manual_seed(seed)
    levels = []
    while len(levels) < 1500:
        least = (0.0, 0.0, 0.2, 0.45)[int(torch.randint(4, (), generator=drawn))]
        run_len = int(torch.randint(1, 15, (), generator=drawn))
        levels += (least + 0.3 * torch.rand(run_len, generator=drawn)).tolist()
    heard = as_heard(torch.tensor(levels).repeat_interleave(CHUNK))[: -100 * seed]
    path = write_wav(tmp_path / "levels.wav", heard)
    heard_as = probabilities(path, model)
    assert heard_as.amin() < 0.01 and heard_as.amax() > 0.9
    counts = []
    for threshold in ("0.5", "0.1", "0.165", "0.005", "0.95", "1"):
        found = silero_vad.get_speech_timestamps_from_probs(
            heard_as.tolist(), threshold=float(threshold), audio_length_samples=len(heard)
        )
        assert spans(path, threshold, model=model) == as_printed(found)
        counts.append(len(found))
    print(counts)
    assert max(counts) > 30 and counts[-1] == 0


def test_speech_does_not_pause_where_it_begins(tmp_path):
    """At a threshold so low that what begins a span would be a pause later."""
    model = write_loudness_meter(tmp_path / "meter.safetensors")
    heard = as_heard(torch.tensor([0.0] * 3 + [0.07] + [0.0] * 4 + [0.8] * 20 + [0.0] * 10).repeat_interleave(CHUNK))
    path = write_wav(tmp_path / "levels.wav", heard)
    heard_as = probabilities(path, model).tolist()
    assert 0.005 < heard_as[3] < 0.01
    found = silero_vad.get_speech_timestamps_from_probs(heard_as, threshold=0.005, audio_length_samples=len(heard))
    assert spans(path, "0.005", model=model) == as_printed(found)
    assert found[0]["start"] == 3 * CHUNK - 480


# What is refused


def fails(says: str, *arguments: str | Path) -> None:
    done = run("voice_activity", *map(str, arguments))
    assert (done.returncode, done.stdout) == (1, "")
    assert "handle" not in done.stderr
    assert re.search(says, done.stderr), done.stderr


def test_a_file_that_is_no_audio_is_refused(tmp_path):
    whole = write_wav(tmp_path / "whole.wav", as_heard(vowels(1, 120, A))).read_bytes()
    path = tmp_path / "some.wav"
    fails("some.wav: .*No such file", MODEL, path)
    for content in (b"", b"RIFF", b"a text\n" * 100, MODEL.read_bytes()[:1000]):
        path.write_bytes(content)
        fails(f"^{path}: Format not recognised", MODEL, path)
    for end in range(12, 44, 4):  # in the header
        path.write_bytes(whole[:end])
        fails(f"^{path}: ", MODEL, path)
    fails(f"^{tmp_path}: ", MODEL, tmp_path)


def test_a_file_that_is_cut_short_is_heard_as_far_as_it_goes(tmp_path):
    heard = as_heard(vowels(1, 120, A))
    whole = write_wav(tmp_path / "whole.wav", heard)
    (tmp_path / "cut.wav").write_bytes(whole.read_bytes()[: 44 + 2 * 5000 + 1])
    assert torch.equal(probabilities(tmp_path / "cut.wav")[:9], probabilities(whole)[:9])
    assert len(probabilities(tmp_path / "cut.wav")) == 10


def test_audio_without_samples_has_no_speech(tmp_path):
    path = write_wav(tmp_path / "empty.wav", torch.zeros(0))
    assert spans(path) == ""
    assert probabilities(path).numel() == 0


@pytest.mark.parametrize("rate", [8000, 44100, 48000])
def test_another_rate_is_refused(tmp_path, rate):
    path = write_wav(tmp_path / "fast.wav", silence(0.1), rate)
    fails(f"^{path}: {rate} samples a second, and the model knows 16000", MODEL, path)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused(tmp_path, number):
    path = write_float_wav(tmp_path / "floats.wav", [0.0] * 600 + [number] + [0.0] * 600)
    fails(f"^{path}: sample 600 is not a finite number", MODEL, path)


def changed_model(path: Path, **changed: torch.Tensor | None) -> Path:
    state = safetensors_torch.load_file(MODEL) | {name.replace("__", "."): tensor for name, tensor in changed.items()}
    safetensors_torch.save_file({name: tensor for name, tensor in state.items() if tensor is not None}, path)
    return path


def test_weights_of_another_model_are_refused(tmp_path):
    audio, path = write_wav(tmp_path / "heard.wav", silence(0.1)), tmp_path / "model.safetensors"
    fails(r"size mismatch for conv2\.bias", changed_model(path, conv2__bias=torch.zeros(3)), audio)
    fails(r"Missing key\(s\).*lstm_cell\.weight_hh", changed_model(path, lstm_cell__weight_hh=None), audio)
    fails(r"Unexpected key\(s\).*conv5\.bias", changed_model(path, conv5__bias=torch.zeros(3)), audio)
    safetensors_torch.save_file({"a": torch.zeros(1)}, path)
    fails(r"Missing key\(s\).*stft_conv\.weight", path, audio)


def test_weights_that_are_damaged_are_refused(tmp_path):
    audio, path = write_wav(tmp_path / "heard.wav", silence(0.1)), tmp_path / "model.safetensors"
    whole = MODEL.read_bytes()
    for damaged in (b"", whole[:7], whole[:100], whole[:-1], b"\xff" * 8 + whole[8:], whole.replace(b"F32", b"F33", 1)):
        path.write_bytes(damaged)
        fails(f"^ctorch_weights_.*{path}", path, audio)
    path.unlink()
    fails(f"^ctorch_weights_open_file: cannot open {path}: No such file", path, audio)
    fails("a TorchScript archive", DATA / "silero_vad.jit", audio)
    fails("of no format that is known", DATA / "silero_vad.onnx", audio)


@pytest.mark.parametrize(
    "arguments",
    [[], ["m"], ["m", "f", "1", "2"], ["--other", "m", "f"], *(["m", "f", t] for t in ("", "x", "0", "1.1"))],
)
def test_another_call_shows_how_it_is_called(arguments):
    done = subprocess.run(
        [BUILT / "voice_activity", *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: ")
