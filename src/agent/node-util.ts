/** What we need of Node's `util`. An import would be bundled to a copy of all its properties, some of which make streams of the program's once they are read. */
import nodeModule from 'node:module';

export const { inspect, types: { isPromise, isProxy, isSet } } = nodeModule.createRequire(__filename)('node:util') as typeof import('node:util');
