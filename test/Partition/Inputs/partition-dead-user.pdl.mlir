// The op that is looked at first is a convolution, and the composite its user.
pdl.pattern @conv_tanh : benefit(0) {
  %types = types
  %inputs = operands
  %conv = operation "linalg.conv_2d_nchw_fchw"(%inputs : !pdl.range<value>) -> (%types : !pdl.range<type>)
  %value = result 0 of %conv
  %dest = operand
  %types2 = types
  %tanh = operation "linalg.tanh"(%value, %dest : !pdl.value, !pdl.value) -> (%types2 : !pdl.range<type>)
  %result = result 0 of %tanh
  rewrite %conv {
    %name = attribute = "acme.conv_tanh"
    apply_native_rewrite "Composite"(%name, %result, %tanh : !pdl.attribute, !pdl.value, !pdl.operation)
  }
}
