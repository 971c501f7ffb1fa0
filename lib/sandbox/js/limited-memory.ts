/** The memory of one QuickJS interpreter, with a limit. */
export interface LimitedMemory {
  readonly wasm: WebAssembly.Memory;
  hasGrown(): boolean;
  /**
   * True if the last request for more memory was refused. The code may then see `InternalError: out of memory`, or no error
   * at all.
   */
  isExhausted(): boolean;
}

const pageBytes = 64 * 1024;
/** The interpreter needs this many pages at its start, for data, stack and some heap. */
const ownPages = 256;

/**
 * Makes a WebAssembly memory that may grow by `bytes` beyond its start. It is needed because the memory limit of QuickJS
 * does not work in this build: it counts each allocation as a few bytes, whatever its size.
 */
export function createLimitedMemory(bytes: number): LimitedMemory {
  const wasm = new WebAssembly.Memory({ initial: ownPages, maximum: ownPages + Math.ceil(bytes / pageBytes) });
  const grow = wasm.grow.bind(wasm);
  let isExhausted = false;
  // The interpreter asks first for more than it needs, and then for less if that is refused.
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
