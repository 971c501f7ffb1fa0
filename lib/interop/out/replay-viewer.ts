import type { MakeBars, MakeSteps, ReplayData, WriteTime } from './replay-data';

/**
 * The script of the replay page: head, play-head and keys, and the two parts that it gets with the function that writes durations.
 * The page has its text, so it uses nothing from outside itself.
 * Longer than 80 lines because a function that is written into a page has to hold all it needs.
 */
export function replayViewer(makeBars: MakeBars, makeSteps: MakeSteps, time: WriteTime): void {
  const data = JSON.parse(document.getElementById('run')?.textContent ?? '') as ReplayData;
  const app = document.getElementById('app') as HTMLElement;
  const make = <K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text: string, into: HTMLElement) => {
    const node = document.createElement(tag);
    node.className = className;
    node.textContent = text;
    into.append(node);
    return node;
  };
  let moment = data.end;
  let selected = -1;
  let playing = 0;

  const header = make('header', '', '', app);
  make('h1', '', data.title || 'Run', header);
  make('span', `status ${data.status}`, data.status, header);
  const left = data.leftOut > 0 ? ` · texts of ${data.leftOut} events did not fit` : '';
  const facts = `${time(data.end)} · ${new Date(data.started).toLocaleString()} · ${data.spans.length} steps${left}`;
  make('span', 'muted', facts, header);
  make('span', 'muted mark', 'Callboard', header);

  const bar = make('div', 'bar', '', app);
  const button = (label: string, sign: string, act: () => void) => {
    const one = make('button', 'icon', sign, bar);
    one.ariaLabel = label;
    one.title = label;
    one.onclick = act;
    return one;
  };
  button('Start', '|◀', () => go(0));
  button('Previous event', '◀', () => step(-1));
  const play = make('button', 'play', 'Play', bar);
  button('Next event', '▶', () => step(1));
  button('The end', '▶|', () => go(data.end));
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
  const clock = make('span', 'clock', '', bar);
  const lanes = make('section', 'lanes', '', app);
  lanes.ariaLabel = 'Timeline';
  const bars = makeBars(data, lanes, select);
  const legend = make('ul', 'legend', '', app);
  const inks = [
    ...['model Model', 'server MCP', 'function Function', 'builtin Built-in', 'setup Starting', 'agent Delegation'],
    ...['hook Hook', 'queued Queued', 'warn Waiting for a person'],
  ];
  for (const text of inks) {
    const [ink = '', name = ''] = text.split(' ');
    const item = make('li', '', '', legend);
    make('i', '', '', item).style.background = `var(--${ink})`;
    item.append(name);
  }
  const steps = makeSteps(data, make('main', '', '', app), select, time);
  const times = [...new Set(data.spans.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);

  function show(): void {
    slider.value = String(moment);
    slider.ariaValueText = time(moment);
    clock.textContent = `${time(moment)} of ${time(data.end)}`;
    bars.draw({ moment, selected });
    steps.show({ moment, selected });
  }
  function select(span: number): void {
    selected = span;
    show();
  }
  function stop(): void {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = 'Play';
  }
  function go(to: number): void {
    stop();
    moment = to;
    show();
  }
  /** Goes to the next time at which something began or ended, and selects it: what begins, rather than what ends. */
  function step(by: 1 | -1): void {
    const next = by === 1 ? times.find((at) => at > moment) : times.findLast((at) => at < moment);
    if (next === undefined) {
      go(by === 1 ? data.end : 0);
      return;
    }
    const began = data.spans.findLastIndex(({ start, kind }) => start === next && kind !== 'queued');
    const found = began === -1 ? data.spans.findLastIndex(({ end }) => end === next) : began;
    if (found !== -1) selected = found;
    go(next);
  }
  function nextError(): void {
    const bad = data.spans
      .map(({ isFailure, end }, index) => ({ isFailure, end, index }))
      .filter(({ isFailure }) => isFailure)
      .sort((a, b) => a.end - b.end);
    const next = bad.find(({ end }) => end > moment) ?? bad[0];
    if (next === undefined) return;
    selected = next.index;
    go(next.end);
  }

  play.onclick = () => {
    if (playing !== 0) return stop();
    if (moment >= data.end) moment = 0;
    play.textContent = 'Pause';
    let before = Number.NaN;
    const frame = (now: number) => {
      if (!Number.isNaN(before)) moment = Math.min(data.end, moment + (now - before) * 1000 * Number(speed.value));
      before = now;
      show();
      if (moment >= data.end) stop();
      else playing = requestAnimationFrame(frame);
    };
    playing = requestAnimationFrame(frame);
  };
  slider.oninput = () => go(Number(slider.value));
  document.onkeydown = (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    if (key === ' ' && target instanceof HTMLButtonElement) return;
    const acts: Record<string, () => void> = {
      ...{ ' ': () => play.click(), ArrowLeft: () => step(-1), ArrowRight: () => step(1), e: nextError },
      ...{ Home: () => go(0), End: () => go(data.end) },
    };
    const act = acts[key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  matchMedia('(prefers-color-scheme: dark)').onchange = show;
  show();
}
