/** Requests and answers: from an HTTP exchange to the registry and back. */
@NullMarked
package dev.berth.apiserver.rest;

import org.jspecify.annotations.NullMarked;
