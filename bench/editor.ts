import type { Folder } from '@/lib/cards/folder';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { textFile, withChanges } from '@/lib/editor/document';
import { drawPicture } from '@/lib/editor/picture';
import { type BenchApp, startBenchApp } from './editor-app';
import { keptBytes } from './editor-bytes';
import { measureEditor } from './editor-page';
import { median, quantile } from './figures';

/** The two sizes of projects, and what is wanted of each in milliseconds. */
const small = { agents: 200, edges: 300, openMs: 1_200, gapMs: 20, keyMs: 30 };
const large = { agents: 1_000, edges: 1_500, openMs: 2_500, gapMs: 33, keyMs: 33 };
const cards = 1_000;

/** Measures the editor: reading cards and projecting the graph, then the page of a production build in Chromium. */
export async function benchEditor(): Promise<void> {
  await benchCards();
  const app = await startBenchApp();
  try {
    for (const size of [small, large]) await benchPage(app, size);
  } finally {
    await app.stop();
  }
}

async function benchCards(): Promise<void> {
  const folder = folderOf(cards, cards + cards / 2);
  const texts = [...folder.values()].flatMap((file) => (file.kind === 'text' ? [file.text] : []));
  const parseAll = (some: readonly string[]) => {
    for (const text of some) parseYaml({ text: text.split('---\n')[1] ?? '', offset: 0 });
  };
  // Both sides run once before they are timed, as a warm-up.
  parseAll(texts.slice(0, 200));
  drawPicture(folderOf(small.agents, small.edges), undefined);
  const yaml = time(() => parseAll(texts));
  let picture = drawPicture(new Map(), undefined);
  const whole = time(() => {
    picture = drawPicture(folder, undefined);
  });
  let now = folder;
  const edits = Array.from({ length: 60 }, (_, index) => {
    const file = `agent-cards/agent-${(index * 37) % cards}.md`;
    now = withChanges(now, new Map([[file, textFile(card((index * 37) % cards, [], `model-${index}`))]]));
    return time(() => {
      picture = drawPicture(now, picture);
    });
  });
  console.log(`\n${cards} cards in Node (floor: their YAML alone)`);
  print('parse, check and project', [whole], 1_000, yaml);
  print('a one-field edit derives again', edits.slice(10), 20);
  const { files, changedFiles, cards: edited, otherLines } = await keptBytes(folder);
  printCount(`import → export: changed of ${files} files`, changedFiles);
  printCount(`one field edited in ${edited} cards: other lines`, otherLines);
}

function printCount(what: string, count: number): void {
  console.log(`  ${what.padEnd(42)} ${count}`.padEnd(66), 'goal 0');
}

async function benchPage(app: BenchApp, { agents, edges, openMs, gapMs, keyMs }: typeof small): Promise<void> {
  const files = Object.fromEntries(
    [...folderOf(agents, edges)].map(([path, file]) => [path, file.kind === 'text' ? file.text : '']),
  );
  const { floor, ...measured } = await measureEditor(app, files, { nodes: agents, edges });
  console.log(`\nEditor: ${agents} agents, ${edges} edges, 1440 × 900 (floor: a bare React Flow page of as many)`);
  print('open, the first time (with the layout)', [measured.firstOpenMs], openMs);
  print('open', measured.openMs, openMs, median(floor.openMs));
  print('drag a node, frame gap', measured.drag.gapsMs, gapMs, quantile(floor.drag.gapsMs, 0.95));
  print('pan, frame gap', measured.panMs, gapMs, quantile(floor.panMs, 0.95));
  print('zoom out and in, frame gap', measured.zoomMs, gapMs, quantile(floor.zoomMs, 0.95));
  const [fps, floorFps] = [measured.drag.fps, floor.drag.fps].map((value) => value.toFixed(0));
  console.log(`  ${'drag a node, frames a second'.padEnd(42)} ${fps}`.padEnd(66), `goal ≥ 50   floor ${floorFps}`);
  print('key in a field → canvas and card text', measured.fieldMs, keyMs, median(floor.keyMs));
  print('key in the card text → canvas', measured.textMs, keyMs, median(floor.keyMs));
}

/** Makes a tree of agents with extra edges, `wanted` edges in total. Positions come from the layout. */
function folderOf(count: number, wanted: number): Folder {
  const children = Array.from({ length: count }, (): number[] => []);
  let made = 0;
  const link = (from: number, to: number) => {
    if (made >= wanted || from >= to || to >= count || children[from]?.includes(to)) return;
    children[from]?.push(to);
    made += 1;
  };
  for (let child = 1; child < count; child += 1) link(Math.floor((child - 1) / 3), child);
  for (let step = 1; made < wanted && step < 60; step += 1) {
    for (let from = 0; from < count; from += 1) link(from, from + 3 * step + 1 + (from % 7));
  }
  return new Map(
    children.map((kids, index) => [`agent-cards/agent-${index}.md`, textFile(card(index, kids, 'passthrough'))]),
  );
}

function card(index: number, children: readonly number[], model: string): string {
  const list = children.map((child) => `  - agent-${child}\n`).join('');
  return `---\nname: agent-${index}\n${index === 0 ? 'default: true\n' : ''}description: Does part ${index} of the work.\nmodel: ${model}\n${list === '' ? '' : `agents:\n${list}`}---\nYou are agent ${index}. Do your part, then say what you did.\n`;
}

function time(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

function print(what: string, valuesMs: readonly number[], goalMs: number, floorMs?: number): void {
  const values =
    valuesMs.length === 1 ? ms(valuesMs[0]) : `${ms(median(valuesMs))}, p95 ${ms(quantile(valuesMs, 0.95))}`;
  const floor = floorMs === undefined ? '' : `   floor ${ms(floorMs)}`;
  console.log(`  ${what.padEnd(42)} ${values}`.padEnd(66), `goal ≤ ${goalMs} ms${floor}`);
}

function ms(value = Number.NaN): string {
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
}
