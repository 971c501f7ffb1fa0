import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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

test('what is typed for an alert stays while more alerts are shown', async () => {
  const more = {
    ...services,
    read: async () => ({ alerts: [alert(0.01), { ...alert(0.02), id: 'b' }], hasMore: false }),
  };
  const first = { alerts: [alert(0.01)], hasMore: true };
  render(<DashboardAlerts {...{ project: undefined, projects: [], services: more, first }} mayAll />);
  await userEvent.click(screen.getByRole('button', { name: 'Add an alert' }));
  const [field] = screen.getAllByRole('spinbutton');
  if (field === undefined) throw new Error('The form has no number');
  await userEvent.clear(field);
  await userEvent.type(field, '37');
  await userEvent.click(screen.getByRole('button', { name: 'Show 100 more' }));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
  expect(field.isConnected && screen.getByDisplayValue('37')).toBe(field);
});
