# Makes things and closes none: see forgotten.py.
require "ctorch"

what, count, file = ARGV
NN = Ctorch::NN

case what
when "graphs"
  first, second = NN.Conv2d(3, 16, 3, padding: 1), NN.Conv2d(16, 4, 3, padding: 1)
  images = Ctorch::Aten.ones([16, 3, 64, 64])
  count.to_i.times { second.call(Ctorch::Aten.relu(first.call(images))).sum }
when "numbers"
  count.to_i.times { Ctorch::Aten.ones([1]) }
when "modules"
  count.to_i.times { NN.Linear(2048, 2048) }
else
  count.to_i.times { Ctorch::Tokenizer.load(file) }
end
