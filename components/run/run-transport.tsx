'use client';

import type { Replay, ReplayState } from '@/components/replay/replay';
import { TransportBar } from '@/components/replay/transport-bar';
import type { ShortTime } from '@/components/timeline/timeline-props';
import { FailureMenu } from './failure-menu';
import type { Follow } from './use-follow';
import type { LiveTrace } from './use-run';
import type { ReplayActions } from './use-run-replay';

/** The bar that replays a run, with the list of its failures. */
export function RunTransport(props: {
  readonly run: LiveTrace;
  readonly replay: Replay;
  readonly state: ReplayState;
  readonly actions: ReplayActions;
  readonly follow: Omit<Follow, 'followed'>;
  readonly short: ShortTime | undefined;
}) {
  const { run, replay, state, actions, follow, short } = props;
  const { trace, version, now, phase } = run;
  return (
    <TransportBar
      {...{ replay, state, trace, version, now }}
      live={phase !== 'ended'}
      scale={short?.scale}
      onStep={actions.step}
      onError={actions.error}
      onSlowest={actions.slowest}
      failures={(has) => <FailureMenu trace={trace} onGo={actions.failure} disabled={!has} />}
      {...follow}
    />
  );
}
