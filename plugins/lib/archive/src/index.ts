/**
 * Reads WACZ, WARC and HAR files: finds the response to a request, in an archive of any size.
 *
 * @packageDocumentation
 */

export * from './contract.js';
