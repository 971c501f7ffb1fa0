import { expect, test } from 'vitest';
import { begin, ended, finish, fold, log, modelOff, modelOn, queued, started } from '@/lib/testing/trace-log';
import { MomentTrace } from '@/lib/trace/moment-trace';
import { Replay, type ReplayHost } from './replay';

const events = log(
  [0, begin],
  [0, queued('lead')],
  [0, started('lead')],
  [100, modelOn('lead', 1)],
  [400, modelOff('lead', 1)],
  [20_400, modelOn('lead', 2)],
  [20_900, modelOff('lead', 2)],
  [21_000, ended('lead')],
  [21_000, finish],
);

/** A screen whose clock, frames and timers run by hand. */
function screen(still = false) {
  let now = 0;
  let frames: (() => void)[] = [];
  let timers: { at: number; run: () => void }[] = [];
  const host: ReplayHost = {
    now: () => now,
    frame(callback) {
      frames.push(callback);
      return () => {
        frames = frames.filter((one) => one !== callback);
      };
    },
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    still: () => still,
  };
  const pass = (ms: number, frameMs = 10) => {
    for (const stop = now + ms; now < stop; ) {
      now += frameMs;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter((one) => !due.includes(one));
      for (const { run } of due) run();
      for (const frame of frames.splice(0)) frame();
    }
  };
  const spend = (ms: number) => {
    now += ms;
  };
  return { host, pass, spend, waiting: () => frames.length + timers.length };
}

function replayOf(log = events, still = false) {
  const view = screen(still);
  const replay = new Replay(view.host, MomentTrace);
  const trace = fold(log);
  let end = trace.lastAt;
  replay.follow({ trace, now: () => end });
  return { ...view, replay, trace, grow: (to: number) => (end = to) };
}

test('a page that takes long to draw is drawn less often, but is never far behind the bars', () => {
  const { replay, pass, spend } = replayOf();
  const behind: number[] = [];
  let drawn = 0;
  replay.subscribe(() => {
    spend(80);
    behind.push((replay.at() ?? 0) - drawn);
    drawn = replay.at() ?? 0;
  });
  replay.setSpeed(1);
  replay.play();
  pass(4_000);
  expect(behind.length).toBeGreaterThan(7);
  expect(behind.length).toBeLessThan(14);
});

test('plays from the start, shows each frame to the bars and ten a second to the rest, and stops at the end', () => {
  const { replay, pass, waiting } = replayOf();
  let frames = 0;
  let renders = 0;
  replay.onFrame(() => frames++);
  replay.subscribe(() => renders++);
  replay.setSpeed(0.5);
  replay.play();
  pass(400);
  expect(replay.at()).toBe(200_000);
  expect(frames).toBeGreaterThanOrEqual(40);
  expect(renders).toBeLessThanOrEqual(8);
  expect(replay.getState().shown?.spans.statusOf(1)).toBe('open');
  replay.setSpeed(16);
  pass(3_000);
  expect([replay.at(), replay.getState().playing, replay.getState().moment]).toEqual([undefined, false, undefined]);
  pass(1_000);
  expect(waiting()).toBe(0);
});

test('idle time is passed in a short time, unless a person wants it as it was', () => {
  const { replay, pass } = replayOf();
  replay.play();
  pass(1_500);
  expect(replay.at()).toBeGreaterThan(20_000_000);
  replay.pause();
  replay.seek(0);
  replay.setSkipsIdle(false);
  replay.play();
  pass(1_500);
  expect(replay.at()).toBeCloseTo(1_500_000, -2);
});

test('with reduced motion the play-head goes from event to event', () => {
  const { replay, pass } = replayOf(events, true);
  replay.play();
  const seen = new Set<number | undefined>();
  replay.onFrame(() => seen.add(replay.at()));
  pass(600);
  expect([...seen]).toEqual([100_000, 400_000]);
});

test('a seek shows at once, a drag ten times a second, and the last of it always', () => {
  const { replay, pass } = replayOf();
  let renders = 0;
  replay.subscribe(() => renders++);
  replay.seek(50_000);
  expect(replay.getState()).toMatchObject({ moment: 50_000, moving: true });
  const first = renders;
  for (let at = 51_000; at < 151_000; at += 1_000) replay.seek(at);
  expect(renders).toBe(first);
  expect(replay.at()).toBe(150_000);
  pass(100);
  expect(replay.getState().moment).toBe(150_000);
  pass(300);
  expect(replay.getState().moving).toBe(false);
});

test('beyond the end is the end, before the start is the start', () => {
  const { replay } = replayOf();
  replay.seek(-5);
  expect(replay.at()).toBe(0);
  replay.seek(99_000_000);
  expect(replay.at()).toBeUndefined();
});

test('a live run can be looked at before now, and a replay that reaches now follows it', () => {
  const { replay, pass, trace, grow } = replayOf(events.slice(0, 4));
  grow(100_000);
  replay.seek(50_000);
  fold(events.slice(4, 5), trace);
  grow(500_000);
  expect(replay.getState().shown?.spans.length).toBe(1);
  replay.play();
  pass(200);
  expect(replay.getState().playing).toBe(true);
  pass(400);
  expect([replay.at(), replay.getState().playing]).toEqual([undefined, false]);
});

test('a moment that a link named before the run was loaded is kept, and shown when it is', () => {
  const { host } = screen();
  const replay = new Replay(host, MomentTrace);
  const none = fold([]);
  replay.follow({ trace: none, now: () => 0 });
  replay.seek(200_000);
  const trace = fold(events);
  replay.follow({ trace, now: () => trace.lastAt });
  expect(replay.at()).toBe(200_000);
  expect(replay.getState().shown?.spans.length).toBe(2);
});

test('a moment is shown once its code is loaded', async () => {
  const replay = new Replay(screen().host);
  const trace = fold(events);
  replay.follow({ trace, now: () => trace.lastAt });
  replay.seek(200_000);
  expect(replay.at()).toBe(200_000);
  expect(replay.getState().shown).toBeUndefined();
  await replay.load();
  expect(replay.getState()).toMatchObject({ moment: 200_000, shown: { lastAt: 200_000 } });
});
