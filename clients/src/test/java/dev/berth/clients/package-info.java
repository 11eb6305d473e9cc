/**
 * The same program through client libraries that others wrote. Not null-marked: to these libraries
 * every field of every object may be null, and one that is fails its test by itself.
 */
package dev.berth.clients;
