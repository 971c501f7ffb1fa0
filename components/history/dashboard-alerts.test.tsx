import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import type { AlertInfo } from '@/lib/trace/alert-info';
import { type AlertServices, DashboardAlerts } from './dashboard-alerts';

const alert = (value: number): AlertInfo => ({
  ...{ id: 'a', figure: 'errorRate', kind: 'run', name: '', threshold: 0.05, hours: 24, least: 1 },
  ...{ enabled: true, value, calls: 9, raisedAt: undefined, checkedAt: 1, mayChange: false },
});

const nothing = async () => undefined;
const services: AlertServices = {
  ...{ read: async () => ({ alerts: [], hasMore: false }), add: nothing, save: nothing, remove: nothing },
};

test('a dashboard that is drawn anew shows the alerts that came with it', () => {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const shown = (...alerts: readonly AlertInfo[]) => {
    const part = { project: undefined, projects: [], mayAll: false, services };
    flushSync(() => root.render(<DashboardAlerts {...part} first={{ alerts, hasMore: false }} />));
    return place.textContent;
  };
  expect(shown(alert(0.01))).toContain('now1 %');
  expect(shown(alert(0.04))).toContain('now4 %');
  flushSync(() => root.unmount());
  place.remove();
});
