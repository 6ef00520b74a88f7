# LibTorch for Ruby. See README.md.
module Ctorch
  require "ctorch/constants"
  require "ctorch/raw"
  require "ctorch/error"
  require "ctorch/process_end"
  require "ctorch/handle"
  require "ctorch/call"
  require "ctorch/callbacks"
  require "ctorch/value"
  require "ctorch/methods"
  require "ctorch/tensor"
  require "ctorch/module"
  require "ctorch/memory"
  require "ctorch/settings"
end
