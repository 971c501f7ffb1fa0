'use client';

import { unwrapAction } from '@/app/call-action';
import { PolicyView, type PolicyViewProps } from '@/components/policy/policy-view';
import { readRules, removeRule, saveRule } from './actions';

const services: PolicyViewProps['services'] = {
  read: (project) => unwrapAction(() => readRules({ project })),
  save: (project, rule) => unwrapAction(() => saveRule({ project, rule })),
  remove: (project, name) => unwrapAction(() => removeRule({ project, name })),
};

/** The rules, with the requests that change them. */
export function PolicyClient(props: Omit<PolicyViewProps, 'services'>) {
  return <PolicyView {...props} services={services} />;
}
