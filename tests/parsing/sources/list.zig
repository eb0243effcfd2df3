const std = @import("std");
const Allocator = std.mem.Allocator;
pub const limit: usize = 10;

/// A list of bytes.
pub const List = struct {
    items: []u8,
    allocator: Allocator,

    const Self = @This();

    pub fn init(allocator: Allocator) Self {
        return .{ .items = &[_]u8{}, .allocator = allocator };
    }

    fn grow(self: *Self, by: usize) !void {
        self.items = try self.allocator.realloc(self.items, by + limit);
        std.debug.print("{}", .{by});
    }
};

const Mode = enum { read, write };
pub const Value = union(enum) { int: i64, text: []const u8 };
const Failure = error{ OutOfRange, Closed };

pub fn Generic(comptime T: type) type {
    return struct {
        value: T,
        pub fn get(self: @This()) T {
            return self.value;
        }
    };
}

extern "c" fn native(value: c_int) c_int;
var counter: u32 = 0;

test "grows" {
    var list = List.init(std.testing.allocator);
    try list.grow(native(1));
}
