# A small GPT that learns a text byte by byte and then writes one: the program of ../gpt.c, byte for byte.
#
#   ruby -I bindings/ruby/lib examples/ruby/gpt.rb TEXT STEPS
#
# Tensors are closed by scopes: one around the program, one for each step.
require "ctorch"

A = Ctorch::Aten
Optim = Ctorch::Optim
BYTES = 256
CONTEXT = 64
WIDTH = 64
HEADS = 4
BLOCKS = 2
BATCH = 16
STEPS = 200
SAMPLE = 200
TEMPERATURE = 0.8
TOP_K = 40

# GPT-2's blocks, without parameters in the norms, over embeddings of bytes and places.
class GPT
  Block = Struct.new(:qkv, :projection, :widen, :narrow)

  attr_reader :parameters

  def initialize
    @parameters = []
    @blocks = Array.new(BLOCKS) do
      Block.new(parameter(3 * WIDTH), parameter(WIDTH), parameter(4 * WIDTH), parameter(WIDTH, 4 * WIDTH))
    end
    @embedding = parameter(BYTES)
    @places = parameter(CONTEXT)
  end

  # Scores of the byte after each place: of a batch of texts, (batch, len, BYTES).
  def forward(text)
    batch, len = text.sizes
    x = A.embedding(@embedding, text) + @places[0...len]
    @blocks.each do |block|
      y = A.linear(norm(x), block.qkv).view([batch, len, 3, HEADS, WIDTH / HEADS]).permute([2, 0, 3, 1, 4])
      y = A.scaled_dot_product_attention(*A.unbind_int(y), is_causal: true)
      x += A.linear(y.transpose_int(1, 2).reshape([batch, len, WIDTH]), block.projection)
      x += A.linear(A.gelu(A.linear(norm(x), block.widen)), block.narrow)
    end
    A.linear(norm(x), @embedding)
  end

  private

  def parameter(rows, columns = WIDTH)
    A.mul__Scalar(A.randn([rows, columns]), 0.08).requires_grad!.tap { |made| @parameters << made }
  end

  def norm(values)
    A.layer_norm(values, [WIDTH])
  end
end

def train_step(model, optimizer, text)
  places = A.randint(text.numel - CONTEXT, [BATCH, 1]) + A.arange(CONTEXT + 1)
  rows = A.take(text, places)
  scores = A.transpose_int(model.forward(A.narrow(rows, 1, 0, CONTEXT)), 1, 2) # the classes come second
  loss = A.cross_entropy_loss(scores, A.narrow(rows, 1, 1, CONTEXT))
  optimizer.zero_grad
  loss.backward
  optimizer.step
  loss.item_double
end

# One of the classes by their scores, of the best ones alone.
def draw(scores)
  scores = A.div_Scalar(scores, TEMPERATURE)
  best, = A.topk(scores, TOP_K)
  worse = A.lt_Tensor(scores, A.narrow(best, 1, TOP_K - 1, 1))
  A.multinomial(A.softmax_int(A.masked_fill_Scalar(scores, worse, -Float::INFINITY), -1), 1)
end

# Let the model go on after a line feed, a byte at a time.
def write_on(model)
  text = Ctorch::Tensor.from_data(["\n".ord].pack("q"), [1, 1], :int64)
  SAMPLE.times do
    len = [text.sizes.last, CONTEXT].min
    scores = model.forward(A.narrow(text, 1, -len, len))
    text = A.cat([text, draw(A.select_int(scores, 1, -1))], dim: 1)
  end
  text.to_flat.drop(1).pack("C*")
end

path = ARGV.fetch(0, "examples/data/sonnets.txt")
steps = Integer(ARGV.fetch(1, STEPS))
$stdout.binmode
Ctorch.threads_set_num(1) # the tensors are too small for more
Ctorch.random_manual_seed(1)
Ctorch.scope do
  data = File.binread(path)
  text = A.to_dtype(Ctorch::Tensor.from_data(data, [data.bytesize], :uint8), :int64)
  model = GPT.new
  optimizer = Optim::AdamW.new(model.parameters, 3e-3, betas: [0.9, 0.95], eps: 1e-8, weight_decay: 0.1)
  (1..steps).each do |step|
    loss = Ctorch.scope { train_step(model, optimizer, text) }
    puts format("step %d: loss %.3f", step, loss) if (step % 50).zero? || steps < 50
  end
  print Ctorch.no_grad { write_on(model) }
  nil
end
left = Ctorch.debug_live_handles # counted with CTORCH_DEBUG_HANDLES=1
abort "gpt: #{left} handles leaked" if left.positive?
