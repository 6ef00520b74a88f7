# Run a model that Python wrote on arrays of Ruby: ../run_model.c in Ruby.
#
#     ruby run_model.rb script model.pt         torch.jit.save
#     ruby run_model.rb program model.pt2       torch.export.save
#     ruby run_model.rb package model.pt2       torch._inductor.aoti_compile_and_package
require "ctorch"

FEATURES = [[0.0, 0.1, 0.2, 0.3], [0.4, 0.5, 0.6, 0.7]].freeze

def load(kind, path)
  case kind
  when "script" then Ctorch::Jit.load(File.binread(path))
  when "program" then Ctorch::ExportedProgram.load(File.binread(path)).module
  else Ctorch::Package.load(path)
  end
end

abort "usage: run_model.rb script|program|package MODEL" unless ARGV.size == 2
model = load(*ARGV)
model.call(Ctorch::Tensor.of(FEATURES)).to_flat.each { |score| puts format("%.9g", score) }
