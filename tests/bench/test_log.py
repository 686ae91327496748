"""What TensorFlow says of itself in any run, and what a loop says. Tier: make test."""

from __future__ import annotations

from labkit.bench.log import without_notices

# As printed by TensorFlow 2.21, the last three by its build for CUDA on a machine without a card.
SAID = """WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1 30206 port.cc:153] oneDNN custom operations are on. You may see slightly different
I0000 00:00:1 1 cpu_feature_guard.cc:227] This TensorFlow binary is optimized to use available CPU
To enable the following instructions: AVX2 AVX512F, in other operations, rebuild TensorFlow
I0000 00:00:1 30206 cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will not be
E0000 00:00:1 30206 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: UNKNOWN (303)
W0000 00:00:1 30206 py_utils.cc:38] TF-TRT Warning: Could not find TensorRT
"""


def test_what_tensorflow_says_of_itself_is_left_out() -> None:
    assert without_notices(SAID) == ""


def test_what_a_loop_prints_stays_whole_and_in_order() -> None:
    loop = "step 1\nWARNING:tensorflow:5 out of the last 5 calls triggered tf.function retracing\n"
    assert without_notices(loop + SAID + "the last line") == loop + "the last line"
