'use client';

import { unwrapAction } from '@/app/call-action';
import { type AlertServices, DashboardAlerts, type DashboardAlertsProps } from '@/components/history/dashboard-alerts';
import { createAlert, deleteAlert, listAlerts, saveAlert, switchAlert } from './alert-actions';

const services: AlertServices = {
  read: (project) => unwrapAction(() => listAlerts({ project })),
  add: (project, rule) => unwrapAction(() => createAlert({ project, ...rule })),
  save: (place, rule) => unwrapAction(() => saveAlert({ ...place, ...rule })),
  switchOn: (place, enabled) => unwrapAction(() => switchAlert({ ...place, enabled })),
  remove: (place) => unwrapAction(() => deleteAlert(place)),
};

/** The alerts of the dashboard, with the requests that change them. */
export function AlertsClient(props: Omit<DashboardAlertsProps, 'services'>) {
  return <DashboardAlerts {...props} services={services} />;
}
