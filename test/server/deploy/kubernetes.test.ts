import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Service } from 'kubernetes-models/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { takeInventory } from '../../../server/src/boot/boot.js';
import { installedCatalog } from '../../../server/src/boot/catalog.js';
import { environmentName } from '../../../server/src/flags/flag-set.js';
import { readManifest } from '../../architecture/workspaces.js';

const text = readFileSync(new URL('../../../server/deploy/kubernetes.yaml', import.meta.url), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}
const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);

const MODELS = { Deployment, Service, NetworkPolicy, ScaledObject };

function check(object: Manifest): void {
  const Model = MODELS[object.kind as keyof typeof MODELS] as unknown as new (data: Manifest) => { validate(): void };
  new Model(object).validate();
}

describe('kubernetes.yaml', () => {
  it.each(objects.map((object) => [object.kind, object.metadata.name, object] as const))(
    '%s %s is one by its schema',
    (_kind, _name, object) => {
      check(object);
      expect(() => {
        check({ ...object, spec: [] as never });
      }).toThrow();
    },
  );

  it('has a single server and a cluster, chosen by a label', () => {
    const of = (variant: string) => objects.filter(({ metadata: { labels } }) => labels['variant'] === variant).map(({ kind }) => kind);
    expect(of('single')).toEqual(['Deployment', 'Service', 'NetworkPolicy']);
    expect(of('cluster')).toEqual([...['Deployment', 'Service', 'NetworkPolicy'], ...['Deployment', 'NetworkPolicy', 'ScaledObject']]);
    expect(of('single').length + of('cluster').length).toBe(objects.length);
  });

  it.each(ofKind('Deployment').map((object) => [object.metadata.name, object] as const))(
    '%s: a tag, a numeric user, probes, resources, no right and a policy',
    (name, object) => {
      expect(object).toMatchObject({
        spec: {
          template: {
            metadata: { labels: { app: name } },
            spec: {
              automountServiceAccountToken: false,
              // Longer than --server-grace-period.
              terminationGracePeriodSeconds: 45,
              containers: [
                {
                  image: `platen:${readManifest('package').version}`,
                  startupProbe: {},
                  readinessProbe: { httpGet: { path: '/status', port: 3000 } },
                  livenessProbe: {},
                  resources: { requests: { cpu: expect.any(String) as unknown, memory: expect.any(String) as unknown }, limits: {} },
                  securityContext: {
                    runAsNonRoot: true,
                    runAsUser: 10001,
                    readOnlyRootFilesystem: true,
                    allowPrivilegeEscalation: false,
                    capabilities: { drop: ['ALL'] },
                    seccompProfile:
                      name === 'platen-front' ? { type: 'RuntimeDefault' } : { type: 'Localhost', localhostProfile: 'platen.json' },
                  },
                },
              ],
            },
          },
        },
      });
      const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === name);
      expect(policy?.spec).toMatchObject({ podSelector: { matchLabels: { app: name } }, policyTypes: ['Ingress', 'Egress'] });
    },
  );

  it('sets flags that there are, and asks for series that there are', async () => {
    const sink = () => new PassThrough().resume();
    const { flagSet } = await takeInventory([], { stdout: sink(), stderr: sink(), environment: {}, cwd: '/' }, installedCatalog);
    const names = new Set([...flagSet.keys()].map(environmentName));
    const set = [...text.matchAll(/name: (PLATEN_\w+)/g)].map(([, name = '']) => name);
    expect(set).toContain('PLATEN_CLUSTER_ADDRESS');
    expect(set.filter((name) => !names.has(name))).toEqual([]);
    const series = readFileSync(new URL('../../../plugins/service/metrics/src/series.ts', import.meta.url), 'utf8');
    for (const [name] of text.matchAll(/svc_\w+/g)) expect(series).toContain(`'${name}'`);
  });
});
