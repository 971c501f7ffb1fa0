import { expect, test } from 'vitest';
import { plainView } from '@/components/timeline/lane-view';
import { type LinkedPlace, readLink, withPlace } from './run-link';

const address = new URL('http://127.0.0.1:3000/r/one?from=list');
const nowhere: LinkedPlace = {
  seq: undefined,
  window: undefined,
  moment: undefined,
  tab: undefined,
  view: plainView,
  allSpans: false,
};

test('a place is read back from its own address', () => {
  const place: LinkedPlace = {
    seq: 7,
    window: { from: 1_500, to: 40_000_250 },
    moment: 1_250_000,
    tab: 'insight',
    view: {
      filter: 'tool:search & more',
      sort: 'errors',
      height: 12,
      collapsed: new Set([2, 3, 4, 9]),
      unfolded: new Set([0]),
    },
    allSpans: true,
  };
  const url = withPlace(address, place);
  expect(url.search).toBe(
    '?from=list&span=7&t=1.5-40000.25&at=1250&tab=insight&f=tool%3Asearch+%26+more&s=errors&h=12&c=2_4.9&u=0&all=1',
  );
  expect(readLink(Object.fromEntries(url.searchParams))).toEqual(place);
});

test('what is no longer shown leaves the address, and other parameters stay', () => {
  const url = withPlace(address, {
    ...nowhere,
    seq: 7,
    window: { from: 0, to: 1_000 },
    moment: 0,
    tab: 'log',
    view: { ...plainView, filter: 'x', collapsed: new Set([1]) },
  });
  expect(withPlace(url, nowhere).href).toBe(address.href);
});

test('a height of lanes that does not exist is left to the browser', () => {
  expect(['auto', '24', '2', '7', ''].map((h) => readLink({ h }).view.height)).toEqual([
    'auto',
    24,
    2,
    undefined,
    undefined,
  ]);
});

test('the tab that opens by itself is not written', () => {
  expect(withPlace(address, { ...nowhere, tab: 'result' }).search).toBe('?from=list');
  expect(withPlace(address, { ...nowhere, tab: 'selection' }).search).toBe('?from=list&tab=selection');
  expect(withPlace(address, { ...nowhere, seq: 7, tab: 'selection' }).search).toBe('?from=list&span=7');
  expect(withPlace(address, { ...nowhere, seq: 7, tab: 'result' }).search).toBe('?from=list&span=7&tab=result');
});

test('a link of a person who changed it by hand shows the run without what cannot be read', () => {
  for (const span of ['', '0', '-1', '1.5', 'x', 'Infinity']) expect(readLink({ span })).toEqual(nowhere);
  for (const t of ['', '5', '9-3', '1-1', 'a-b']) expect(readLink({ t })).toEqual(nowhere);
  for (const at of ['', '-1', 'now']) expect(readLink({ at })).toEqual(nowhere);
  for (const s of ['', 'Order', 'x']) expect(readLink({ s })).toEqual(nowhere);
  for (const c of ['', 'x', '1-2']) expect(readLink({ c, u: c })).toEqual(nowhere);
  for (const tab of ['', 'Result', 'other']) expect(readLink({ tab })).toEqual(nowhere);
});

test('the tab of usage in an older link is the one with its tables now', () => {
  expect(readLink({ tab: 'usage' }).tab).toBe('insight');
});
