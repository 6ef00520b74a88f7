# What a call costs in Ruby: a line "name ns" for each case, the best of five rounds.
$LOAD_PATH.unshift("#{ENV.fetch('CTORCH_BUILD')}/generated/bindings/ruby/lib")
require "ctorch"

ROUNDS = 5
A = Ctorch::Aten

def report(name, calls)
  best = Array.new(ROUNDS) do
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    calls.times { yield }
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end.min
  puts format("%s %.1f", name, 1e9 * best / calls)
end

Ctorch.threads_set_num(1)
tensors = Array.new(4) { A.ones([8]) }
x, y = tensors
report("version", 200_000) { Ctorch::Raw.ctorch_version }
report("size", 50_000) { x.size(0) }
report("add", 20_000) { A.add_Tensor(x, y).close }
report("cat", 20_000) { A.cat(tensors).close }
