/** The memory of one QuickJS interpreter, with a limit. */
export interface LimitedMemory {
  readonly wasm: WebAssembly.Memory;
  hasGrown(): boolean;
  /** The last request for more memory was refused. The code may see `InternalError: out of memory`, or no error at all. */
  isExhausted(): boolean;
}

const pageBytes = 64 * 1024;
/** The pages that the interpreter needs at its start: data, stack and some heap. */
const ownPages = 256;

/**
 * Limits the WebAssembly memory to `bytes` beyond its start. The memory limit of QuickJS itself does not work in this build:
 * it counts each allocation as a few bytes, whatever its size.
 */
export function createLimitedMemory(bytes: number): LimitedMemory {
  const wasm = new WebAssembly.Memory({ initial: ownPages, maximum: ownPages + Math.ceil(bytes / pageBytes) });
  const grow = wasm.grow.bind(wasm);
  let isExhausted = false;
  // The interpreter asks for more than it needs at first, and for less when that is refused.
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
