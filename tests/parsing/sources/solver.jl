module Solver

using LinearAlgebra: norm, dot
import Base: show, +
include("grid.jl")
export solve, Grid

const LIMIT = 100

"""
A grid of points.
"""
struct Grid{T<:Real} <: AbstractGrid
    width::Int
    points::Vector{T}
    Grid(width) = new(width, zeros(width))
end

mutable struct State
    step::Int
end

abstract type AbstractGrid end
primitive type Byte 8 end

"Solves it."
function solve(grid::Grid{T}, tolerance=1e-3; verbose::Bool=false) where {T}
    state = State(0)
    while norm(grid.points) > tolerance
        step!(state, grid)
    end
    return Base.sum(grid.points)
end

step!(state::State, grid) = (state.step += 1)

macro timed(expression)
    :(elapsed($expression))
end

Base.show(io::IO, grid::Grid) = print(io, "Grid", grid.width)

end
