/** What the replay page shows. Times are microseconds since `started`, which is in epoch milliseconds. */
export interface ReplayData {
  readonly title: string;
  readonly status: string;
  readonly runId: string;
  readonly started: number;
  readonly end: number;
  readonly lanes: readonly { readonly name: string; readonly depth: number; readonly slots: number }[];
  readonly spans: readonly {
    readonly lane: number;
    readonly kind: string;
    readonly name: string;
    readonly start: number;
    readonly end: number;
    readonly status: string;
    readonly slot: number;
    readonly tokens: number;
    /** The numbers of its first and last event. */
    readonly parts: readonly number[];
  }[];
  /** Titles and texts by the number of the event. */
  readonly texts: Readonly<Record<number, readonly (readonly [string, string])[]>>;
  /** Events whose texts did not fit. */
  readonly leftOut: number;
}

/**
 * The script of the replay page. The page has its text, so it uses nothing from outside itself.
 * Longer than 80 lines because a function that is written into a page has to hold all it needs.
 */
export function replayViewer(): void {
  const data = JSON.parse(document.getElementById('run')?.textContent ?? '') as ReplayData;
  const app = document.getElementById('app') as HTMLElement;
  const make = <K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text: string, into: HTMLElement) => {
    const node = document.createElement(tag);
    node.className = className;
    node.textContent = text;
    into.append(node);
    return node;
  };
  const time = (us: number) => (us < 1e6 ? `${Math.round(us / 1000)} ms` : `${(us / 1e6).toFixed(2)} s`);
  const failed = (status: string) => status === 'error' || status === 'timeout';
  let moment = data.end;
  let selected = -1;
  let playing = 0;

  const header = make('header', '', '', app);
  make('h1', '', data.title || 'Run', header);
  const left = data.leftOut > 0 ? ` · texts of ${data.leftOut} events did not fit` : '';
  const facts = `${data.status} · ${time(data.end)} · ${new Date(data.started).toLocaleString()} · ${data.spans.length} spans${left}`;
  make('span', 'muted', facts, header);
  const bar = make('div', 'bar', '', app);
  const play = make('button', '', 'Play', bar);
  const speed = make('select', '', '', bar);
  speed.ariaLabel = 'Speed';
  for (const factor of [0.25, 0.5, 1, 2, 4, 8, 16]) {
    const option = make('option', '', `${factor}×`, speed);
    option.value = String(factor);
    option.selected = factor === 1;
  }
  const slider = make('input', '', '', bar);
  slider.type = 'range';
  slider.ariaLabel = 'Moment';
  slider.max = String(data.end);
  const clock = make('span', 'muted', '', bar);
  const box = make('div', 'lanes', '', app);
  const canvas = make('canvas', '', '', box);
  const main = make('main', '', '', app);
  const history = make('ol', 'history', '', main);
  const detail = make('div', 'detail', '', main);

  const tops: number[] = [];
  let height = 0;
  for (const lane of data.lanes) {
    tops.push(height);
    height += 14 + 10 * Math.max(1, lane.slots);
  }
  const names = 180;
  const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

  const draw = () => {
    const ratio = window.devicePixelRatio || 1;
    const width = box.clientWidth;
    canvas.width = width * ratio;
    canvas.height = Math.min(height, 16_000) * ratio;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${Math.min(height, 16_000)}px`;
    const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
    pen.scale(ratio, ratio);
    pen.font = '12px system-ui, sans-serif';
    const ink = color('ink');
    data.lanes.forEach((lane, row) => {
      pen.fillStyle = ink;
      pen.fillText(
        lane.name,
        8 + 10 * Math.min(lane.depth, 8),
        (tops[row] ?? 0) + 15,
        names - 16 - 10 * Math.min(lane.depth, 8),
      );
    });
    const scale = (width - names - 12) / Math.max(1, data.end);
    data.spans.forEach((span, index) => {
      if (span.start > moment) return;
      const end = Math.min(span.end, moment);
      const isLane = span.kind === 'instance' || span.kind === 'queued';
      const top = (tops[span.lane] ?? 0) + (isLane ? 4 : 6 + 10 * span.slot);
      pen.fillStyle = failed(span.status) && span.end <= moment ? color('bad') : color(span.kind);
      pen.fillRect(names + span.start * scale, top, Math.max(1, (end - span.start) * scale), isLane ? 14 : 9);
      if (index !== selected) return;
      pen.strokeStyle = ink;
      pen.strokeRect(
        names + span.start * scale - 1,
        top - 1,
        Math.max(1, (end - span.start) * scale) + 2,
        isLane ? 16 : 11,
      );
    });
    pen.fillStyle = color('accent');
    pen.fillRect(names + moment * scale, 0, 1.5, height);
  };

  const shown = data.spans
    .map((_, index) => index)
    .sort((a, b) => (data.spans[a]?.start ?? 0) - (data.spans[b]?.start ?? 0));
  const rows: HTMLElement[] = [];
  for (const index of shown.slice(0, 5_000)) {
    const span = data.spans[index];
    if (span === undefined) continue;
    const item = make('li', '', '', history);
    const button = make('button', '', '', item);
    make('span', 'muted', time(span.start), button);
    make('span', '', `${data.lanes[span.lane]?.name ?? ''} · ${span.kind} ${span.name}`, button);
    make('span', 'muted', '', button);
    button.onclick = () => select(index);
    rows.push(item);
  }
  if (shown.length > 5_000) make('li', 'muted', `5,000 of ${shown.length} rows`, history);

  const showDetail = () => {
    detail.textContent = '';
    const span = data.spans[selected];
    if (span === undefined) return void make('p', 'muted', 'Select a bar or a row.', detail);
    const isOver = span.end <= moment;
    make('h2', '', `${span.kind} ${span.name}`, detail);
    const lasted = `${time(span.start)} to ${isOver ? time(span.end) : 'now'} · ${isOver ? span.status : 'open'}`;
    make('p', 'muted', `${lasted}${span.tokens > 0 && isOver ? ` · ${span.tokens} tokens` : ''}`, detail);
    for (const [place, seq] of span.parts.entries()) {
      if (place === 1 && !isOver) continue;
      for (const [title, text] of data.texts[seq] ?? []) {
        make('h3', '', title, detail);
        make('pre', '', text, detail);
      }
    }
  };

  const show = () => {
    slider.value = String(moment);
    clock.textContent = `${time(moment)} of ${time(data.end)}`;
    rows.forEach((row, place) => {
      const span = data.spans[shown[place] ?? 0];
      if (span === undefined) return;
      row.hidden = span.start > moment;
      const button = row.firstElementChild as HTMLElement;
      button.setAttribute('aria-current', String(shown[place] === selected));
      (button.lastElementChild as HTMLElement).textContent =
        span.end <= moment ? `${span.status} ${time(span.end - span.start)}` : 'open';
    });
    showDetail();
    draw();
  };
  const select = (index: number) => {
    selected = index;
    show();
  };
  const stop = () => {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = 'Play';
  };
  play.onclick = () => {
    if (playing !== 0) return stop();
    if (moment >= data.end) moment = 0;
    play.textContent = 'Pause';
    let before = Number.NaN;
    const step = (now: number) => {
      if (!Number.isNaN(before)) moment = Math.min(data.end, moment + (now - before) * 1000 * Number(speed.value));
      before = now;
      show();
      if (moment >= data.end) stop();
      else playing = requestAnimationFrame(step);
    };
    playing = requestAnimationFrame(step);
  };
  slider.oninput = () => {
    stop();
    moment = Number(slider.value);
    show();
  };
  canvas.onclick = (event) => {
    const scale = (box.clientWidth - names - 12) / Math.max(1, data.end);
    const at = (event.offsetX - names) / scale;
    const near = 3 / scale;
    let best = -1;
    data.spans.forEach((span, index) => {
      const top = tops[span.lane] ?? 0;
      const isLane = span.kind === 'instance' || span.kind === 'queued';
      const from = isLane ? top + 4 : top + 6 + 10 * span.slot;
      const isHit = span.start <= at + near && span.end >= at - near && span.start <= moment;
      if (isHit && event.offsetY >= from && event.offsetY <= from + (isLane ? 14 : 9) && (best === -1 || !isLane))
        best = index;
    });
    if (best !== -1) select(best);
  };
  document.onkeydown = (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      play.click();
    }
    if (event.key === 'Home') moment = 0;
    if (event.key === 'End') moment = data.end;
    if (event.key === 'Home' || event.key === 'End') show();
  };
  window.onresize = draw;
  show();
}
