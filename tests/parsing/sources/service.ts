import type { Config } from "./config";
import { Injectable, type Provider } from "@app/core";
import fs = require("fs");
import * as api from "./api";

export { Config };
export * as helpers from "./helpers";

/** How a request ended. */
export enum Outcome {
  Done,
  Failed = "failed",
}

export type Handler<T> = (input: T) => Promise<Outcome> | undefined;
type Shape = { kind: "circle"; radius: number } | api.Square;

export interface Store<T> extends Provider, api.Closable<T> {
  readonly size: number;
  get(key: string): T | undefined;
  put?(key: string, value: T): void;
  new (path: string): Store<T>;
}

@Injectable({ scope: "request" })
export class Service<T extends Config> extends api.Base<T> implements Store<T>, Provider {
  static readonly shared: Service<Config> | null = null;
  protected handlers: Map<string, Handler<T>> = new Map();
  #secret = 1;
  private onTick = (): void => this.tick();

  constructor(private readonly config: T, public name?: string) {
    super(config);
  }

  get size(): number {
    return this.handlers.size;
  }

  @api.cached()
  async get(key: string): Promise<T | undefined> {
    const found = (await this.load(key)) as T;
    return found satisfies Config ? found : undefined;
  }

  private tick() {
    fs.writeFileSync(this.name!, JSON.stringify(<object>this.config));
  }
}

export abstract class Worker {
  abstract run(task: Handler<string>): void;
  protected static pool: Worker[] = [];
}

export function parse(text: string): Shape;
export function parse(text: string, strict: boolean): Shape;
export function parse(text: string, strict = false): Shape {
  return JSON.parse(text) as Shape;
}

function isCircle(shape: Shape): shape is Extract<Shape, { kind: "circle" }> {
  return shape instanceof Service;
}

namespace Internal.Deep {
  export const depth = 3;
  export function walk(start: Service<Config>) {}
}

declare module "untyped" {
  export function anything(): any;
}

export const retry = async <T>(work: () => Promise<T>, times = 3): Promise<T> => work();
export const table = { first: (() => parse("1")) as () => Shape, second() {} };
