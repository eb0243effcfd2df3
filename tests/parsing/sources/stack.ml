open Printf
module S = Set.Make (String)

(** A stack. *)
type 'a t = { mutable items : 'a list; size : int }

type colour = Red | Green of int
exception Empty of string

module type PRINTABLE = sig
  type t
  val show : t -> string
end

module Stack = struct
  let create () = { items = []; size = 0 }

  (* Pushes. *)
  let push (x : 'a) stack ~times ?(label = "x") =
    List.iter (fun _ -> stack.items <- x :: stack.items) (List.init times Fun.id);
    printf "%s" label

  let rec depth = function
    | [] -> 0
    | _ :: rest -> 1 + depth rest
  and width n = n
end

class counter start = object (self)
  inherit base
  val mutable count = start
  method increment by = count <- count + by; self#report
  method private report = Stack.push count
end

let limit = 10
let ( +++ ) a b = a + b
external now : unit -> float = "caml_now"
let () = Stack.push 1 (Stack.create ()) ~times:limit
