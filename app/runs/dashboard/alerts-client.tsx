'use client';

import { unwrapAction } from '@/app/call-action';
import { type AlertServices, DashboardAlerts, type DashboardAlertsProps } from '@/components/history/dashboard-alerts';
import { createAlert, deleteAlert, listAlerts, saveAlert } from './alert-actions';

const services: AlertServices = {
  read: (project, limit) => unwrapAction(() => listAlerts({ project, limit })),
  add: (project, rule) => unwrapAction(() => createAlert({ project, ...rule })),
  save: (alert, edit) => unwrapAction(() => saveAlert({ alert, edit })),
  remove: (alert) => unwrapAction(() => deleteAlert({ alert })),
};

/** The alerts of the dashboard, with the requests that change them. */
export function AlertsClient(props: Omit<DashboardAlertsProps, 'services'>) {
  return <DashboardAlerts {...props} services={services} />;
}
