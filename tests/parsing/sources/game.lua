local json = require("cjson")
local Vector = require "lib.vector"

local Game = {}
Game.__index = Game

MAX_PLAYERS = 4
local speed, gravity = 10, 9.8

-- Makes a game.
-- @param name what it is called
function Game.new(name, ...)
  local self = setmetatable({}, Game)
  self.origin = Vector.new(0, 0)
  return self
end

function Game:update(dt)
  self:move(dt * speed)
  for _, enemy in ipairs(self.enemies) do
    enemy.brain.think(json.encode(enemy))
  end
end

local function clamp(value, low, high)
  return math.max(low, math.min(value, high))
end

local helper = function(x) return clamp(x, 0, MAX_PLAYERS) end

Game.handlers = {
  start = function(event) print(event) end,
  stop = helper,
}

return Game
