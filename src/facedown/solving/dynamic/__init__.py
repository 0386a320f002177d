"""Exact solutions of games of perfect information with chance"""
