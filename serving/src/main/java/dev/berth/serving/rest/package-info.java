/** Requests and answers: from an HTTP exchange to the registry and back. */
@NullMarked
package dev.berth.serving.rest;

import org.jspecify.annotations.NullMarked;
