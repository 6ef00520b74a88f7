module consumer

go 1.18

require ctorch v0.0.0

replace ctorch => ./package
