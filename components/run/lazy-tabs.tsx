'use client';

import type { ComponentType, ReactNode } from 'react';
import { later } from '@/components/ui/later';
import type { Trace } from '@/lib/trace/trace';
import type { LiveSaid } from './live-said';
import { useSaid } from './use-said';

/**
 * These parts show what the events of a run tell, and the server does not draw them. They are loaded beside the events, so that the
 * bars do not wait for them.
 */
export const RunTransport = later(
  () => import('./run-transport').then((found) => found.RunTransport),
  <div className="min-h-10 shrink-0 border-b bg-surface" />,
);
export const HistoryList = later(() => import('./history-list').then((found) => found.HistoryList), null);

/** These parts of the run page are loaded when they are opened, because the first picture needs none of them. */

export const SpanDetail = later(() => import('./span-detail').then((found) => found.SpanDetail));
export const RunGraph = later(() => import('./run-graph-view').then((found) => found.RunGraph));
export const StateList = later(() => import('./state-list').then((found) => found.StateList));
export const RunQuestions = later(() => import('./run-questions').then((found) => found.RunQuestions));
export const LogList = later(() => import('./log-list').then((found) => found.LogList));
export const Insight = later(() => import('@/components/insight/insight').then((found) => found.Insight));

export const ScoreNotes = later(
  () => import('@/components/scores/score-notes').then((found) => found.ScoreNotes),
  null,
);
export const MissingKey = later(() => import('@/components/keys/set-key').then((found) => found.MissingKey), null);
export const BarMenu = later(() => import('./bar-menu').then((found) => found.BarMenu), null);

/** What models say now. Most of the time no model says anything, so it is loaded when one does. */
export const SaysNow = whileSomethingIsSaid(() => import('./said-text').then((found) => found.SaysNow));
export const LaneTexts = whileSomethingIsSaid(() => import('./lane-texts').then((found) => found.LaneTexts));

function whileSomethingIsSaid<Props extends { readonly said: LiveSaid; readonly trace: Trace }>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Loaded = later(load, null);
  return function WhileSomethingIsSaid(props: Props) {
    const saying = useSaid(props.said, props.trace);
    return saying.length === 0 ? null : <Loaded {...props} />;
  };
}
