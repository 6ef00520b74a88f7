Gem::Specification.new do |gem|
  gem.name = "ctorch"
  gem.version = "0.1.0"
  gem.summary = "LibTorch for Ruby"
  gem.authors = ["ctorch"]
  gem.license = "BSD-3-Clause"
  gem.files = Dir["lib/**/*"]
  gem.required_ruby_version = ">= 3.0"
  gem.add_runtime_dependency "ffi", "~> 1.15"
end
