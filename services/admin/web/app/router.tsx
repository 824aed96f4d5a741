import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { Permission } from '@messaging-gateway/contracts';
import { askAhead } from '../api/asking.ts';
import { NotFound } from '../kit/page.tsx';
import { whoIsSignedIn } from '../session/me.tsx';
import { Broken } from './broken.tsx';
import { Door } from './door.tsx';
import { loaderOf } from './page-files.ts';
import { doors, pages, type PageRow } from './page-list.ts';
import { loading } from './stale.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly permission?: Permission | undefined;
  }
}

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});
/** The frame of the pages, loaded only behind the sign-in. */
const loadShell = loading(() => import('./shell.tsx'));
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(loadShell, 'Shell'),
  // Beside the files of the frame, which asks for it too.
  loader: ({ context }) => void askAhead(context.client, 'GetMe', {}, whoIsSignedIn),
});
const door = createRoute({ getParentRoute: () => root, id: 'door', component: Door });

const routesBelow = (parent: typeof shell | typeof door, rows: readonly PageRow[]) =>
  rows.flatMap((row) => {
    const load = loaderOf(row);
    if (load === undefined) return [];
    return createRoute({
      getParentRoute: () => parent,
      path: row.path,
      component: lazyRouteComponent(load, 'PageContent'),
      staticData: { permission: row.permission },
    });
  });

/** Any other address: *Not found*, with the navigation around it. */
const elsewhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

const tree = root.addChildren([
  shell.addChildren([...routesBelow(shell, pages), elsewhere]),
  door.addChildren(routesBelow(door, doors)),
]);

export const makeRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { client },
    defaultErrorComponent: Broken,
    scrollRestoration: true,
    defaultPreload: false,
  });
