/** The memory of one QuickJS, with an end. */
export interface LimitedMemory {
  readonly wasm: WebAssembly.Memory;
  hasGrown(): boolean;
  /** The last wish for more was refused. Code sees `InternalError: out of memory`, or nothing at all. */
  isExhausted(): boolean;
}

const pageBytes = 64 * 1024;
/** What the interpreter's build wants to start with: its data, its stack, some heap. */
const ownPages = 256;

/**
 * QuickJS's own memory limit counts each allocation as a few bytes in this build, whatever its size, and so limits nothing:
 * what holds is that the WebAssembly memory cannot grow by more than `bytes`.
 */
export function createLimitedMemory(bytes: number): LimitedMemory {
  const wasm = new WebAssembly.Memory({ initial: ownPages, maximum: ownPages + Math.ceil(bytes / pageBytes) });
  const grow = wasm.grow.bind(wasm);
  let isExhausted = false;
  // The interpreter asks for more than it needs first, then for less.
  wasm.grow = (pages) => {
    isExhausted = true;
    const before = grow(pages);
    isExhausted = false;
    return before;
  };
  return {
    wasm,
    hasGrown: () => wasm.buffer.byteLength > ownPages * pageBytes,
    isExhausted: () => isExhausted,
  };
}
