import { foldOverlay, type OverlayStore, startOverlay } from '@/components/editor/run-overlay';
import { isRecord, parseJson } from '@/lib/base/json';

/**
 * Lights up the canvas while a run goes on: the run's event stream folded into the overlay, at most once a frame. Returns
 * what ends it. A stream that drops is resumed by the browser with `Last-Event-ID`; events seen twice are ignored.
 */
export function followRun(overlay: OverlayStore, runId: string): () => void {
  overlay.setState(startOverlay(runId), true);
  const source = new EventSource(`/api/v1/runs/${encodeURIComponent(runId)}/events?view=slim`);
  let waiting: unknown[] = [];
  let frame: number | undefined;

  function flush() {
    frame = undefined;
    const events = waiting;
    waiting = [];
    const next = foldOverlay(overlay.getState(), events);
    overlay.setState(next, true);
    if (next.status !== 'running') source.close();
  }

  function take(message: MessageEvent) {
    const value: unknown = typeof message.data === 'string' ? parseJson(message.data) : undefined;
    if (Array.isArray(value)) waiting.push(...value);
    else if (isRecord(value)) waiting.push(value);
    frame ??= requestAnimationFrame(flush);
  }

  source.onmessage = take;
  source.addEventListener('end', () => source.close());
  return () => {
    source.close();
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
