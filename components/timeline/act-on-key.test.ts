import { expect, it } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { layoutRows } from '@/lib/trace/lanes';
import { actOnKey } from './act-on-key';
import { type KeyAction, keyAction } from './keys';
import { evenScale } from './time-scale';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1)],
    [2, toolOff('lead', 1)],
    [2, queued('lead/kid[1]', 'lead#t1')],
    [2, started('lead/kid[1]')],
  ),
);
const rows = layoutRows(trace, new Set());
const [lead, kid] = [0, 1];

/** What the keys do, with the focus on the row of `lane`. */
function press(actions: readonly KeyAction[], lane: number, selected?: number): unknown[] {
  const did: unknown[] = [];
  const say = (what: string) => (value?: unknown) => void did.push([what, value]);
  for (const action of actions) {
    actOnKey(action, {
      trace,
      rows,
      activeLane: lane,
      selected,
      shown: { from: 0, to: 1000 },
      scale: evenScale,
      pivot: () => 0.5,
      now: 5000,
      end: 1000,
      onWindow: say('window'),
      select: say('select'),
      clear: say('clear'),
      focusLane: say('focus'),
      toggle: say('toggle'),
      pick: say('pick'),
      openMenu: say('menu'),
    });
  }
  return did;
}

it('walks the rows, and stops at the first and the last', () => {
  const [down, up] = [
    { do: 'row', by: 1 },
    { do: 'row', by: -1 },
  ] as const;
  expect(press([down, up], lead)).toEqual([
    ['focus', kid],
    ['focus', lead],
  ]);
  expect(press([down], kid)).toEqual([['focus', kid]]);
  expect(press([{ do: 'edge', by: 1 }], lead)).toEqual([['focus', kid]]);
});

it('opens or folds an instance with children, and selects one without', () => {
  expect(press([{ do: 'toggle' }], lead)).toEqual([['toggle', lead]]);
  expect(press([{ do: 'toggle' }], kid)).toEqual([['pick', kid]]);
});

it('selects the next event and takes the focus to its row', () => {
  const [[what, span] = [], focus] = press([{ do: 'event-in-lane', by: 1 }], kid) as [string, number][];
  expect(what).toBe('select');
  expect(trace.spans.lane.at(span ?? -1)).toBe(kid);
  expect(focus).toEqual(['focus', kid]);
});

it('zooms about the middle, shows the whole run, and focuses nothing without a selection', () => {
  expect(press([{ do: 'zoom', by: 0.5 }, { do: 'fit' }, { do: 'focus' }, { do: 'clear' }], lead)).toEqual([
    ['window', { from: 250, to: 750 }],
    ['window', undefined],
    ['clear', undefined],
  ]);
});

it('opens the menu of a bar with Shift+F10 and with the menu key', () => {
  const noKeys = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  const actions = [
    keyAction({ ...noKeys, key: 'F10', shiftKey: true }),
    keyAction({ ...noKeys, key: 'ContextMenu' }),
    keyAction({ ...noKeys, key: 'F10' }),
  ];
  expect(actions).toEqual([{ do: 'menu' }, { do: 'menu' }, undefined]);
  expect(press([{ do: 'menu' }], kid)).toEqual([['menu', undefined]]);
});
